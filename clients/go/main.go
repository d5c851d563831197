// A Farfalia bot without an SDK: grpc-go, three .proto files, and the page that describes the contract.
//
//	FARFALIA_SERVER=host:port FARFALIA_TOKEN=... ./bot      (or unix:/path for a socket)
//
// Plays the lowest card that it may, until it is told to stop.
package main

import (
	"context"
	crand "crypto/rand"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "example.com/farfalia-bot/farfalia/v1"
)

const (
	firstWait, longestWait = 250 * time.Millisecond, 15 * time.Second
	settled                = 3 * time.Second  // a stream that lived for so long was a good one
	welcomeWithin          = 20 * time.Second // a wrong port may hang without an error
	keptOutAttempts        = 4                // another instance may be our own lost connection
)

// decide returns one of the legal actions. Kinds that it does not know get the first one.
func decide(question *pb.Question) uint32 {
	best := question.Legal[0]
	if question.Kind == pb.DecisionKind_DECISION_KIND_PLAY && question.View.Ruleset != "farrago" {
		for _, card := range question.Legal {
			if card%13 < best%13 {
				best = card
			}
		}
	}
	return best
}

type secret struct{ tournament, match uint64 }

// bot is what outlives a stream.
type bot struct {
	mu       sync.Mutex
	instance []byte // the same for as long as this process lives
	nonces   map[secret][]byte
	open     map[uint64]bool
	leaving  bool
	dialled  *stream // the newest stream, welcomed or not
	welcomed *stream // the newest one that was welcomed
	pinged   time.Duration
	done     chan int
}

type stream struct {
	mu     sync.Mutex
	call   grpc.ClientStream
	cancel context.CancelFunc
	since  time.Time // of its welcome
}

func (s *stream) send(message *pb.PlayRequest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.call.SendMsg(message) // the next RecvMsg says why it failed
}

// keepPlaying opens one stream after the other, until it is to stop or another loop has taken over.
func (b *bot) keepPlaying() {
	wait, keptOut := firstWait, 0
	for {
		s := &stream{}
		b.mu.Lock()
		b.dialled = s
		b.mu.Unlock()
		err := b.play(s)
		b.mu.Lock()
		newest, left, idle := b.dialled == s, b.leaving && b.welcomed == s, b.leaving && len(b.open) == 0
		pinged := b.pinged
		b.mu.Unlock()
		if left && err == nil {
			b.done <- 0 // our goodbye
			return
		}
		if !newest {
			return // drained: the next stream has taken over
		}
		if !s.since.IsZero() {
			keptOut = 0
		}
		if !s.since.IsZero() && time.Since(s.since) >= settled {
			wait = firstWait
		}
		pause := time.Duration(float64(wait) * (0.5 + rand.Float64()/2))
		wait = min(2*wait, longestWait)
		switch status.Code(err) {
		case codes.Unauthenticated, codes.PermissionDenied, codes.InvalidArgument, codes.FailedPrecondition,
			codes.Unimplemented, codes.Aborted:
			log.Print(err)
			b.done <- 3
			return
		case codes.AlreadyExists:
			if keptOut++; keptOut > keptOutAttempts {
				log.Print(err)
				b.done <- 3
				return
			}
			pause = pinged
		}
		if idle {
			b.done <- 0
			return
		}
		log.Printf("%v; trying again in %v", err, pause.Round(time.Millisecond))
		time.Sleep(pause)
	}
}

// play is one stream from its hello to its end; nil is the status OK.
func (b *bot) play(s *stream) error {
	target, options := dial(os.Getenv("FARFALIA_SERVER"))
	channel, err := grpc.NewClient(target, options...)
	if err != nil {
		return err
	}
	defer channel.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+os.Getenv("FARFALIA_TOKEN"))
	silent := time.AfterFunc(welcomeWithin, cancel)
	defer silent.Stop()
	description := &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}
	if s.call, err = channel.NewStream(ctx, description, "/farfalia.v1.PlayService/Play"); err != nil {
		return err
	}
	s.send(&pb.PlayRequest{Hello: &pb.Hello{
		Client: "go-example", ClientVersion: "1", Instance: b.instance,
		Capacity: &pb.Capacity{Matches: 64, Questions: 64},
	}})
	patience := welcomeWithin
	for {
		message := &pb.PlayResponse{}
		if err := s.call.RecvMsg(message); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if message.Welcome != nil {
			patience = 3 * time.Duration(message.Welcome.PingIntervalMs) * time.Millisecond
		}
		if patience > 0 {
			silent.Reset(patience)
		} else {
			silent.Stop()
		}
		if reply := b.take(s, message); reply != nil {
			s.send(reply)
		}
		if message.Drain != nil {
			b.mu.Lock()
			newest := b.dialled == s
			b.mu.Unlock()
			if newest {
				go b.keepPlaying() // takes over from this stream, which plays on until then
			}
		}
	}
}

// take does what the server says, and returns what there is to answer; nil if there is nothing.
func (b *bot) take(s *stream, message *pb.PlayResponse) *pb.PlayRequest {
	b.mu.Lock()
	defer b.mu.Unlock()
	reply := &pb.PlayRequest{}
	if welcome := message.Welcome; welcome != nil {
		log.Printf("connected as %s", welcome.Bot)
		s.since, b.welcomed = time.Now(), s
		b.pinged = time.Duration(welcome.PingIntervalMs) * time.Millisecond
		b.open = map[uint64]bool{}
		for _, seat := range welcome.Open {
			b.open[seat.Match] = true
		}
		if b.leaving { // a server that was started again does not know
			reply.Goodbye = &pb.Goodbye{}
		}
	}
	for _, seat := range message.Seated {
		b.open[seat.Match] = true
	}
	for _, question := range message.Questions {
		action := &pb.Action{Match: question.Match, Number: question.Number, Action: decide(question)}
		reply.Actions = append(reply.Actions, action)
	}
	for _, result := range message.Results {
		log.Printf("match %d, question %d: %s", result.Match, result.Number, result.Text)
	}
	for _, finished := range message.Finished {
		delete(b.open, finished.Match)
	}
	if message.Ping != nil {
		reply.Pong = &pb.Pong{Nonce: message.Ping.Nonce}
	}
	for _, notice := range message.Notices {
		log.Print(notice.Text)
	}
	for _, entered := range message.Entered {
		key := secret{entered.Tournament, entered.Match}
		if b.nonces[key] == nil { // always the same one for the same secret
			b.nonces[key] = random(16)
		}
		nonce := &pb.Nonce{Tournament: key.tournament, Match: key.match, Nonce: b.nonces[key]}
		reply.Nonces = append(reply.Nonces, nonce)
	}
	if reply.Actions == nil && reply.Pong == nil && reply.Nonces == nil && reply.Goodbye == nil {
		return nil
	}
	return reply
}

// dial returns what gRPC is to be told of an address of a server.
func dial(server string) (string, []grpc.DialOption) {
	if server == "" {
		server = "127.0.0.1:7600"
	}
	port := "7600"
	if strings.HasPrefix(server, "https://") {
		port = "443"
	}
	secure := credentials.TransportCredentials(insecure.NewCredentials())
	for _, scheme := range []string{"https://", "farfalias://", "http://", "farfalia://"} {
		if rest, found := strings.CutPrefix(server, scheme); found {
			server = rest
			if scheme == "https://" || scheme == "farfalias://" {
				secure = credentials.NewTLS(&tls.Config{MinVersion: tls.VersionTLS12})
			}
		}
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(secure),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 20 * time.Second, Timeout: 10 * time.Second}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(16 << 20)),
	}
	if strings.HasPrefix(server, "unix:") {
		return server, options
	}
	host, _, err := net.SplitHostPort(server)
	if err != nil {
		host, server = server, net.JoinHostPort(strings.Trim(server, "[]"), port)
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		options = append(options, grpc.WithNoProxy()) // no proxy leads back to this machine
	}
	return server, options
}

func random(length int) []byte {
	bytes := make([]byte, length)
	_, _ = crand.Read(bytes) // never fails
	return bytes
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("farfalia: ")
	b := &bot{
		instance: random(16), nonces: map[secret][]byte{}, open: map[uint64]bool{},
		pinged: 5 * time.Second, done: make(chan int, 2),
	}
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-told
		signal.Stop(told) // a second one ends the process
		b.mu.Lock()
		b.leaving = true
		current := b.welcomed
		idle := current == nil
		b.mu.Unlock()
		if idle {
			b.done <- 0
			return
		}
		current.send(&pb.PlayRequest{Goodbye: &pb.Goodbye{}}) // the server ends the stream after the last open match
	}()
	go b.keepPlaying()
	os.Exit(<-b.done)
}
