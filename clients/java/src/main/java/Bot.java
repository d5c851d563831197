import farfalia.v1.Action;
import farfalia.v1.Capacity;
import farfalia.v1.DecisionKind;
import farfalia.v1.Goodbye;
import farfalia.v1.Hello;
import farfalia.v1.Nonce;
import farfalia.v1.PlayRequest;
import farfalia.v1.PlayResponse;
import farfalia.v1.PlayServiceGrpc;
import farfalia.v1.Pong;
import farfalia.v1.Question;
import com.google.protobuf.ByteString;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Farfalia bot without an SDK: grpc-java, three .proto files, and the page that describes the contract.
 *
 * <p>FARFALIA_SERVER=host:port FARFALIA_TOKEN=... java -jar target/bot.jar (or unix:/path for a socket). Plays the
 * lowest card that it may, until it is told to stop. Everything happens in one thread, so nothing needs a lock.
 */
public final class Bot {
    private static final long FIRST_WAIT = 250, LONGEST_WAIT = 15_000; // milliseconds
    private static final long SETTLED = 3_000; // a stream that lived for so long was a good one
    private static final long WELCOME_WITHIN = 20_000; // a wrong port may hang without an error
    private static final int KEPT_OUT_ATTEMPTS = 4; // another instance may be our own lost connection
    private static final Set<Status.Code> FINAL =
            Set.of(
                    Status.Code.UNAUTHENTICATED,
                    Status.Code.PERMISSION_DENIED,
                    Status.Code.INVALID_ARGUMENT,
                    Status.Code.FAILED_PRECONDITION,
                    Status.Code.UNIMPLEMENTED,
                    Status.Code.ABORTED); // another instance took over

    private record Secret(long tournament, long match) {}

    private final SecureRandom random = new SecureRandom();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final ByteString instance = randomBytes(); // the same for as long as this process lives
    private final Map<Secret, ByteString> nonces = new HashMap<>();
    private final Set<Long> open = new HashSet<>(); // matches at which we sit
    private boolean leaving;
    private Stream dialled; // the newest stream, welcomed or not
    private Stream welcomed; // the newest one that was welcomed
    private long wait = FIRST_WAIT;
    private long pingInterval = 5_000;
    private int keptOut;

    /** Returns one of the legal actions. Kinds that it does not know get the first one. */
    private static int decide(Question question) {
        List<Integer> legal = question.getLegalList();
        boolean farrago = question.getView().getRuleset().equals("farrago");
        if (question.getKind() != DecisionKind.DECISION_KIND_PLAY || farrago) {
            return legal.get(0);
        }
        return legal.stream().min(Comparator.comparing(card -> card % 13)).orElseThrow();
    }

    public static void main(String[] arguments) {
        Bot bot = new Bot();
        Runtime.getRuntime().addShutdownHook(new Thread(bot::leave));
        bot.thread.execute(() -> bot.new Stream().begin());
    }

    /** Says goodbye at SIGTERM, and lets the open matches end. */
    private void leave() {
        thread.execute(
                () -> {
                    leaving = true;
                    if (welcomed == null) {
                        Runtime.getRuntime().halt(0);
                    }
                    welcomed.out.onNext(PlayRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build());
                });
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private ByteString randomBytes() {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return ByteString.copyFrom(bytes);
    }

    private static void say(String text) {
        System.err.println("farfalia: " + text);
    }

    /** One stream, from its hello to its end. */
    private final class Stream implements StreamObserver<PlayResponse> {
        private ManagedChannel channel;
        private StreamObserver<PlayRequest> out;
        private ScheduledFuture<?> silent;
        private long patience = WELCOME_WITHIN;
        private long since; // milliseconds at its welcome

        private void begin() {
            dialled = this;
            String server = System.getenv().getOrDefault("FARFALIA_SERVER", "127.0.0.1:7600");
            Matcher parts = Pattern.compile("(?:(https?|farfalias?)://)?(.*)").matcher(server);
            boolean known = parts.matches();
            String scheme = known && parts.group(1) != null ? parts.group(1) : "";
            String target = parts.group(2);
            if (!target.startsWith("unix:") && !target.matches(".*:\\d+")) {
                target += scheme.equals("https") ? ":443" : ":7600";
            }
            boolean secure = scheme.equals("https") || scheme.equals("farfalias");
            channel =
                    Grpc.newChannelBuilder(
                                    target,
                                    secure ? TlsChannelCredentials.create() : InsecureChannelCredentials.create())
                            .executor(thread)
                            .keepAliveTime(20, TimeUnit.SECONDS)
                            .keepAliveTimeout(10, TimeUnit.SECONDS)
                            .maxInboundMessageSize(16 << 20)
                            .build();
            Metadata metadata = new Metadata();
            metadata.put(
                    Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                    "Bearer " + System.getenv().getOrDefault("FARFALIA_TOKEN", ""));
            out =
                    PlayServiceGrpc.newStub(channel)
                            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
                            .play(this);
            watch();
            Hello hello =
                    Hello.newBuilder()
                            .setClient("java-example")
                            .setClientVersion("1")
                            .setInstance(instance)
                            .setCapacity(Capacity.newBuilder().setMatches(64).setQuestions(64))
                            .build();
            out.onNext(PlayRequest.newBuilder().setHello(hello).build());
        }

        /** Gives the stream up if nothing is heard for a while. */
        private void watch() {
            if (silent != null) {
                silent.cancel(false);
            }
            if (patience > 0) {
                Runnable cancel = () -> out.onError(Status.CANCELLED.withDescription("silence").asException());
                silent = thread.schedule(cancel, patience, TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void onNext(PlayResponse message) {
            PlayRequest.Builder reply = PlayRequest.newBuilder();
            if (message.hasWelcome()) {
                say("connected as " + message.getWelcome().getBot());
                since = System.currentTimeMillis();
                welcomed = this;
                keptOut = 0;
                pingInterval = message.getWelcome().getPingIntervalMs();
                patience = 3 * pingInterval;
                open.clear();
                message.getWelcome().getOpenList().forEach(seat -> open.add(seat.getMatch()));
                if (leaving) { // a server that was started again does not know
                    reply.setGoodbye(Goodbye.getDefaultInstance());
                }
            }
            watch();
            message.getSeatedList().forEach(seat -> open.add(seat.getMatch()));
            for (Question asked : message.getQuestionsList()) {
                reply.addActions(
                        Action.newBuilder()
                                .setMatch(asked.getMatch())
                                .setNumber(asked.getNumber())
                                .setAction(decide(asked)));
            }
            message.getResultsList()
                    .forEach(one -> say("match " + one.getMatch() + ", question " + one.getNumber() + ": " + one.getText()));
            message.getFinishedList().forEach(finished -> open.remove(finished.getMatch()));
            if (message.hasPing()) {
                reply.setPong(Pong.newBuilder().setNonce(message.getPing().getNonce()));
            }
            message.getNoticesList().forEach(notice -> say(notice.getText()));
            message.getEnteredList()
                    .forEach(
                            entered -> { // always the same one for the same secret
                                Secret secret = new Secret(entered.getTournament(), entered.getMatch());
                                reply.addNonces(
                                        Nonce.newBuilder()
                                                .setTournament(secret.tournament())
                                                .setMatch(secret.match())
                                                .setNonce(nonces.computeIfAbsent(secret, one -> randomBytes())));
                            });
            PlayRequest made = reply.build();
            if (!made.equals(PlayRequest.getDefaultInstance())) {
                out.onNext(made);
            }
            if (message.hasDrain() && dialled == this) {
                new Stream().begin(); // takes over from this stream, which plays on until then
            }
        }

        @Override
        public void onError(Throwable error) {
            end(Status.fromThrowable(error));
        }

        @Override
        public void onCompleted() {
            end(Status.OK);
        }

        private void end(Status status) {
            silent.cancel(false);
            channel.shutdownNow();
            if (leaving && status.isOk() && welcomed == this) {
                Runtime.getRuntime().halt(0); // our goodbye
            }
            if (dialled != this) {
                return; // drained: the next stream has taken over
            }
            boolean kept = status.getCode() == Status.Code.ALREADY_EXISTS;
            if (FINAL.contains(status.getCode()) || (kept && ++keptOut > KEPT_OUT_ATTEMPTS)) {
                say(status.getDescription());
                Runtime.getRuntime().halt(3);
            }
            if (leaving && open.isEmpty()) {
                Runtime.getRuntime().halt(0);
            }
            if (since > 0 && System.currentTimeMillis() - since >= SETTLED) {
                wait = FIRST_WAIT;
            }
            long pause = kept ? pingInterval : (long) (wait * (0.5 + random.nextDouble() / 2));
            wait = Math.min(2 * wait, LONGEST_WAIT);
            say(status + "; trying again in " + pause + " ms");
            thread.schedule(() -> new Stream().begin(), pause, TimeUnit.MILLISECONDS);
        }
    }
}
