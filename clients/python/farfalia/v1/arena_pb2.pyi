from farfalia.v1 import accounts_pb2 as _accounts_pb2
from farfalia.v1 import acts_pb2 as _acts_pb2
from farfalia.v1 import analysis_pb2 as _analysis_pb2
from farfalia.v1 import bots_pb2 as _bots_pb2
from farfalia.v1 import daily_boards_pb2 as _daily_boards_pb2
from farfalia.v1 import drafts_pb2 as _drafts_pb2
from farfalia.v1 import events_pb2 as _events_pb2
from farfalia.v1 import gatherings_pb2 as _gatherings_pb2
from farfalia.v1 import ladders_pb2 as _ladders_pb2
from farfalia.v1 import matches_pb2 as _matches_pb2
from farfalia.v1 import nodes_pb2 as _nodes_pb2
from farfalia.v1 import programs_pb2 as _programs_pb2
from farfalia.v1 import ratings_pb2 as _ratings_pb2
from farfalia.v1 import tournaments_pb2 as _tournaments_pb2
from farfalia.v1 import webhooks_pb2 as _webhooks_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor
