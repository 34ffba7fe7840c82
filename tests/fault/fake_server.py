#!/usr/bin/env python3
"""fake_server.py PORT FAULT: as much of a FalkorDB as a hunt needs, which fails in one way, on a query after the 15th, as long as there are
files beside it that are called fault-N: each fault takes one of them away.

Every query has the same answer: no rows. FAULT is none, garbage, half, endless, silent, exit, crash, exhausted, ping (its queries are never
answered again, while it goes on answering all else), or refuse (it does not start)."""
import os
import signal
import socket
import sys

port, fault = int(sys.argv[1]), sys.argv[2]
AFTER = 15
queries = 0
ANSWER = b"*3\r\n*0\r\n*0\r\n*1\r\n$19\r\nCached execution: 0\r\n"
CRASH = b"""=== REDIS BUG REPORT START
7 pool *
/x/fake.so(FakeTop+0x4)[0x7f]
/x/fake.so(FakeBottom+0x4)[0x7f]
"""


def say(text):
    os.write(2, text)


def armed():
    """Whether it is to fail now; that is one fault less."""
    here = os.path.dirname(os.path.abspath(__file__))
    for name in os.listdir(here):
        if name.startswith("fault-"):
            os.unlink(os.path.join(here, name))
            return True
    return False


def read_command(stream):
    head = stream.readline()
    if not head:
        return None
    words = []
    for _ in range(int(head[1:])):
        length = int(stream.readline()[1:])
        words.append(stream.read(length))
        stream.read(2)
    return words


def fail(client):
    if fault == "garbage":
        client.sendall(os.urandom(65536) + b"\r\n")
    elif fault == "half":
        client.sendall(ANSWER[:12])
        client.close()
        return False
    elif fault == "endless":
        client.sendall(b"$99999999999\r\n")
        while True:
            client.sendall(b"x" * 65536)
    elif fault in ("silent", "ping"):
        if fault == "silent":
            signal.pause()
    elif fault == "exit":
        os._exit(3)
    elif fault == "exhausted":
        say(b"# Out Of Memory allocating 7 bytes!\n")
        os.abort()
    elif fault == "crash":
        say(CRASH)
        os.kill(os.getpid(), signal.SIGSEGV)
    return True


def serve(client):
    global queries
    stream = client.makefile("rb")
    while (words := read_command(stream)) is not None:
        command = words[0].upper()
        if command == b"GRAPH.QUERY":
            queries += 1
            if fault != "none" and queries > AFTER and armed():
                if not fail(client):
                    return
                if fault in ("garbage", "ping"):
                    continue
            client.sendall(ANSWER)
        elif command == b"MODULE":
            client.sendall(b"*1\r\n*4\r\n$4\r\nname\r\n$5\r\ngraph\r\n$3\r\nver\r\n:10203\r\n")
        elif command in (b"EXISTS", b"DBSIZE"):
            client.sendall(b":0\r\n")
        else:
            client.sendall(b"+OK\r\n")


if fault == "refuse":
    say(b"I will not start today\n")
    sys.exit(1)
listener = socket.create_server(("127.0.0.1", port))
while True:
    connection, _ = listener.accept()
    try:
        serve(connection)
    except OSError:
        pass
