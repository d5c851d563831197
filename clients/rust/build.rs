fn main() -> std::io::Result<()> {
    tonic_prost_build::configure()
        .build_server(false)
        .compile_protos(&["farfalia/v1/play.proto"], &["proto"])
}
