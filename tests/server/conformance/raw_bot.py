"""A bot without the SDK that keeps the contract, as a program; tests break it at one place."""

SOURCE = '''
import os, queue, random, sys, threading, time
import grpc
from farfalia.v1 import play_pb2 as pb
from farfalia.v1.play_pb2_grpc import PlayServiceStub

instance = os.urandom(8)
newest = None


def answer(question):
    return pb.Action(match=question.match, number=question.number, action=question.legal[0])


def play():
    """Play on one stream until it ends; its status, None if another stream has taken over."""
    global newest
    mine = newest = object()
    out = queue.SimpleQueue()
    capacity = pb.Capacity(matches=8, questions=8)
    out.put(pb.PlayRequest(hello=pb.Hello(client="raw", instance=instance, capacity=capacity)))
    token = [("authorization", "Bearer " + os.environ["FARFALIA_TOKEN"])]
    try:
        with grpc.insecure_channel(os.environ["FARFALIA_SERVER"]) as channel:
            for message in PlayServiceStub(channel).Play(iter(out.get, None), metadata=token):
                reply = pb.PlayRequest(actions=[answer(question) for question in message.questions])
                if message.HasField("ping"):
                    reply.pong.nonce = message.ping.nonce
                if message.HasField("drain"):
                    threading.Thread(target=keep_playing).start()
                if reply.ByteSize():
                    out.put(reply)
        status = grpc.StatusCode.OK
    except grpc.RpcError as error:
        status = error.code()
    finally:
        out.put(None)
    return status if newest is mine else None


def keep_playing():
    wait = 0.25
    while True:
        began = time.monotonic()
        status = play()
        if status in (None, grpc.StatusCode.UNAUTHENTICATED):
            return
        wait = 0.25 if time.monotonic() - began > 3 else min(15, 2 * wait)
        time.sleep(wait * random.uniform(0.5, 1))


keep_playing()
'''


def broken(place: str, instead: str) -> str:
    """The same program with other text at one place."""
    assert SOURCE.count(place) == 1, place
    return SOURCE.replace(place, instead)
