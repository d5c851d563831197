//! A Farfalia bot without an SDK: tonic, three .proto files, and the page that describes the contract.
//!
//!     FARFALIA_SERVER=host:port FARFALIA_TOKEN=... ./target/release/bot      (or unix:/path for a socket)
//!
//! Plays the lowest card that it may, until it is told to stop.
use std::collections::{HashMap, HashSet};
use std::env;
use std::process::exit;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::{ClientTlsConfig, Endpoint};
use tonic::{Code, Request, Status};

use farfalia::play_service_client::PlayServiceClient;

pub mod farfalia {
    tonic::include_proto!("farfalia.v1");
}

const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(15);
/// A stream that lived for so long was a good one.
const SETTLED: Duration = Duration::from_secs(3);
/// A wrong port may hang without an error.
const WELCOME_WITHIN: Duration = Duration::from_secs(20);
/// Another instance may be our own lost connection.
const KEPT_OUT_ATTEMPTS: u32 = 4;
/// Longer than any bot lives: a server whose ping interval is 0 does not ping.
const EVER: Duration = Duration::from_secs(1 << 30);

/// One of the legal actions. Kinds that it does not know get the first one.
fn decide(question: &farfalia::Question) -> u32 {
    let farrago = question.view.as_ref().is_some_and(|view| view.ruleset == "farrago");
    let lowest = question.legal.iter().copied().min_by_key(|card| card % 13);
    match question.kind() {
        farfalia::DecisionKind::Play if !farrago => lowest.unwrap_or_default(),
        _ => question.legal[0],
    }
}

/// What outlives a stream.
#[derive(Default)]
struct State {
    nonces: HashMap<(u64, u64), Vec<u8>>,
    open: HashSet<u64>,
    leaving: bool,
    /// Number of the newest stream, welcomed or not.
    dialled: u64,
    /// Number of the newest one that was welcomed, and where its messages go.
    welcomed: Option<(u64, mpsc::Sender<farfalia::PlayRequest>)>,
    ping_interval: Duration,
}

struct Bot {
    /// The same for as long as this process lives.
    instance: [u8; 16],
    token: String,
    state: Mutex<State>,
    /// Asks for another stream, which takes over.
    again: mpsc::UnboundedSender<()>,
}

/// Opens one stream after the other, until another task has taken over.
async fn keep_playing(bot: Arc<Bot>) {
    let (mut wait, mut kept_out) = (FIRST_WAIT, 0);
    loop {
        let number = {
            let mut state = bot.state.lock().unwrap();
            state.dialled += 1;
            state.dialled
        };
        let mut since = None;
        let end = play(&bot, number, &mut since).await;
        let (newest, left, idle, ping_interval) = {
            let state = bot.state.lock().unwrap();
            let last = state.welcomed.as_ref().is_some_and(|(welcomed, _)| *welcomed == number);
            let idle = state.leaving && state.open.is_empty();
            (state.dialled == number, state.leaving && last, idle, state.ping_interval)
        };
        if left && end.is_ok() {
            exit(0); // our goodbye
        }
        if !newest {
            return; // drained: the next stream has taken over
        }
        if since.is_some() {
            kept_out = 0;
        }
        if since.is_some_and(|since: Instant| since.elapsed() >= SETTLED) {
            wait = FIRST_WAIT;
        }
        let mut pause = wait.mul_f64(0.5 + rand::random::<f64>() / 2.0);
        wait = LONGEST_WAIT.min(2 * wait);
        let status = end.err().unwrap_or_else(|| Status::ok("the stream has ended"));
        match status.code() {
            Code::Unauthenticated
            | Code::PermissionDenied
            | Code::InvalidArgument
            | Code::FailedPrecondition
            | Code::Unimplemented
            | Code::Aborted => {
                eprintln!("farfalia: {}", status.message());
                exit(3);
            }
            Code::AlreadyExists => {
                kept_out += 1;
                if kept_out > KEPT_OUT_ATTEMPTS {
                    eprintln!("farfalia: {}", status.message());
                    exit(3);
                }
                pause = ping_interval;
            }
            _ => {}
        }
        if idle {
            exit(0);
        }
        eprintln!("farfalia: {}; trying again in {pause:.1?}", status.message());
        sleep(pause).await;
    }
}

/// One stream from its hello to its end; `since` is when it was welcomed.
async fn play(bot: &Bot, number: u64, since: &mut Option<Instant>) -> Result<(), Status> {
    let late = |_| Status::deadline_exceeded("nothing was heard of the server");
    let channel = timeout(WELCOME_WITHIN, endpoint()?.connect()).await.map_err(late)?;
    let channel = channel.map_err(|error| Status::unavailable(format!("no server answers: {error:?}")))?;
    let mut client = PlayServiceClient::new(channel).max_decoding_message_size(16 << 20);
    let (out, messages) = mpsc::channel(64);
    let hello = farfalia::Hello {
        client: "rust-example".into(),
        client_version: "1".into(),
        instance: bot.instance.to_vec(),
        capacity: Some(farfalia::Capacity { matches: 64, questions: 64, ..Default::default() }),
        ..Default::default()
    };
    let _ = out.send(farfalia::PlayRequest { hello: Some(hello), ..Default::default() }).await;
    let mut request = Request::new(ReceiverStream::new(messages));
    let token = format!("Bearer {}", bot.token).parse();
    request.metadata_mut().insert("authorization", token.map_err(|_| Status::unauthenticated("the token is no text"))?);
    let mut stream = timeout(WELCOME_WITHIN, client.play(request)).await.map_err(late)??.into_inner();
    let mut patience = WELCOME_WITHIN;
    while let Some(message) = timeout(patience, stream.message()).await.map_err(late)?? {
        if let Some(welcome) = &message.welcome {
            *since = Some(Instant::now());
            let silence = 3 * u64::from(welcome.ping_interval_ms);
            patience = if silence > 0 { Duration::from_millis(silence) } else { EVER };
        }
        if let Some(reply) = take(bot, number, &out, &message) {
            let _ = out.send(reply).await; // the next message says why it failed
        }
        if message.drain.is_some() && bot.state.lock().unwrap().dialled == number {
            let _ = bot.again.send(()); // takes over from this stream, which plays on until then
        }
    }
    Ok(())
}

/// Does what the server says, and returns what there is to answer.
fn take(
    bot: &Bot,
    number: u64,
    out: &mpsc::Sender<farfalia::PlayRequest>,
    message: &farfalia::PlayResponse,
) -> Option<farfalia::PlayRequest> {
    let mut state = bot.state.lock().unwrap();
    let mut reply = farfalia::PlayRequest::default();
    if let Some(welcome) = &message.welcome {
        eprintln!("farfalia: connected as {}", welcome.bot);
        state.welcomed = Some((number, out.clone()));
        state.ping_interval = Duration::from_millis(welcome.ping_interval_ms.into());
        state.open = welcome.open.iter().map(|seat| seat.r#match).collect();
        if state.leaving {
            reply.goodbye = Some(farfalia::Goodbye::default()); // a server that was started again does not know
        }
    }
    state.open.extend(message.seated.iter().map(|seat| seat.r#match));
    reply.actions.extend(message.questions.iter().map(|question| farfalia::Action {
        r#match: question.r#match,
        number: question.number,
        action: decide(question),
        ..Default::default() // the contract grows
    }));
    for result in &message.results {
        eprintln!("farfalia: match {}, question {}: {}", result.r#match, result.number, result.text);
    }
    for finished in &message.finished {
        state.open.remove(&finished.r#match);
    }
    reply.pong = message.ping.as_ref().map(|ping| farfalia::Pong { nonce: ping.nonce, ..Default::default() });
    for notice in &message.notices {
        eprintln!("farfalia: {}", notice.text);
    }
    for entered in &message.entered {
        let key = (entered.tournament, entered.r#match);
        // Always the same one for the same secret.
        let nonce = state.nonces.entry(key).or_insert_with(|| rand::random::<[u8; 16]>().to_vec());
        let (tournament, r#match, nonce) = (key.0, key.1, nonce.clone());
        reply.nonces.push(farfalia::Nonce { tournament, r#match, nonce, ..Default::default() });
    }
    (reply != farfalia::PlayRequest::default()).then_some(reply)
}

/// The server, as FARFALIA_SERVER names it.
fn endpoint() -> Result<Endpoint, Status> {
    let server = env::var("FARFALIA_SERVER").unwrap_or_else(|_| "127.0.0.1:7600".into());
    let port = if server.starts_with("https://") { 443 } else { 7600 };
    let server = server.replacen("farfalias://", "https://", 1).replacen("farfalia://", "http://", 1);
    let plain = !server.starts_with("unix:") && !server.contains("://");
    let mut address = if plain { format!("http://{server}") } else { server };
    let named = address.rsplit(':').next().is_some_and(|last| last.parse::<u16>().is_ok());
    if !named && !address.starts_with("unix:") {
        address = format!("{}:{port}", address.trim_end_matches('/'));
    }
    let secure = address.starts_with("https://");
    let wrong = |error: tonic::transport::Error| Status::invalid_argument(format!("FARFALIA_SERVER: {error:?}"));
    let endpoint = Endpoint::from_shared(address)
        .map_err(wrong)?
        .http2_keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(10));
    if secure { endpoint.tls_config(ClientTlsConfig::new().with_enabled_roots()).map_err(wrong) } else { Ok(endpoint) }
}

/// Waits for SIGTERM or Ctrl-C, and leaves: the server ends the stream after the last open match.
async fn leave(bot: Arc<Bot>) -> std::io::Result<()> {
    let (mut told, mut interrupted) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    for _ in 0..2 {
        tokio::select! { _ = told.recv() => {}, _ = interrupted.recv() => {} }
        let current = {
            let mut state = bot.state.lock().unwrap();
            if std::mem::replace(&mut state.leaving, true) || state.welcomed.is_none() {
                exit(0);
            }
            state.welcomed.clone()
        };
        if let Some((_, out)) = current {
            let goodbye = Some(farfalia::Goodbye::default());
            let _ = out.send(farfalia::PlayRequest { goodbye, ..Default::default() }).await;
        }
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (again, mut asked) = mpsc::unbounded_channel();
    let state = Mutex::new(State { ping_interval: Duration::from_secs(5), ..Default::default() });
    let token = env::var("FARFALIA_TOKEN").unwrap_or_default();
    let bot = Arc::new(Bot { instance: rand::random(), token, state, again });
    tokio::spawn(leave(bot.clone()));
    tokio::spawn(keep_playing(bot.clone()));
    while asked.recv().await.is_some() {
        tokio::spawn(keep_playing(bot.clone()));
    }
}
