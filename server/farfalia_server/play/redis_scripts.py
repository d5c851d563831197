"""The journal's Redis scripts, each of which is atomic.

The lease of a server has one of its own, in `cluster.lease`.
"""

from __future__ import annotations

import struct
from typing import Final

#: The client packs each argument of a call separately, which costs more than all else here. So a call has just one: for
#: each entry its match, attempt, epoch, number and length as big-endian integers, and the payload. Key names are built
#: from these, which a Redis Cluster would not allow; a match's keys belong to one Redis.
ENTRY_HEAD: Final = struct.Struct(">QIIII")

#: The script's answers for an entry; see there.
WRITTEN, OTHER_OWNER, GAP, DIFFERENT, UNKNOWN, CLAIM_LOST = 1, -1, -2, -3, -4, -5

#: KEYS: the prefix of all keys. ARGV: the entries.
#: Returns for each entry: 1 it is in the log (since now, or since an earlier try), -1 a later epoch owns the match,
#: -2 the log lacks entries before it, -3 the log has something else in its place, -4 nobody has claimed the match,
#: -5 an earlier epoch owns it, since Redis has lost the claim in a failover.
APPEND: Final = """
local answers, at, size = {}, 1, #ARGV[1]
while at <= size do
  local match, attempt, epoch, number, payload, next = struct.unpack('>I8I4I4I4I4c0', ARGV[1], at)
  at = next
  local name = KEYS[1] .. string.format('%.0f', match)
  local answer = 1
  local owner = redis.call('HGET', name .. ':own', 'epoch')
  if not owner then
    answer = -4
  elseif tonumber(owner) < epoch then
    answer = -5
  elseif tonumber(owner) > epoch then
    answer = -1
  else
    local log = name .. ':' .. string.format('%.0f', attempt) .. ':log'
    local id = string.format('%.0f-0', number)
    local length = redis.pcall('XLEN', log)
    if type(length) == 'table' then  -- no stream at all
      answer = -3
    elseif length < number - 1 then
      answer = -2
    elseif length >= number then
      local kept = redis.call('XRANGE', log, id, id)[1]
      if not kept or kept[2][2] ~= payload then
        answer = -3
      end
    else
      local reply = redis.pcall('XADD', log, id, 'e', payload)
      if type(reply) == 'table' and reply.err then
        if not string.find(reply.err, 'equal or smaller') then
          return redis.error_reply(reply.err)
        end
        answer = -3
      end
    end
  end
  answers[#answers + 1] = answer
end
return answers
"""

#: KEYS: own, ended. ARGV: epoch, and the field of the claim, empty for none. Raises the epoch, never lowers it, and
#: remembers the claim; returns the highest epoch so far, 0 for none, and the newest attempt that has ended, 0 for none.
CLAIM: Final = """
local now = tonumber(redis.call('HGET', KEYS[1], 'epoch') or '0')
local attempt, last = string.match(redis.call('GET', KEYS[2]) or '0 0', '^(%d+) (%d+)$')
if tonumber(ARGV[1]) > now then
  redis.call('HSET', KEYS[1], 'epoch', ARGV[1])
end
if ARGV[2] ~= '' then
  redis.call('HSET', KEYS[1], ARGV[2], '1')
end
return {math.max(now, tonumber(last)), tonumber(attempt)}
"""

#: KEYS: ended, own, and all that is to be deleted. ARGV: the attempt that has ended, 0 for none, and how long that is
#: kept, with the highest epoch so far: bots know it, and heed no lower one. Raises both, never lowers them.
END: Final = """
local attempt, last = string.match(redis.call('GET', KEYS[1]) or '0 0', '^(%d+) (%d+)$')
attempt = math.max(tonumber(ARGV[1]), tonumber(attempt))
last = math.max(tonumber(redis.call('HGET', KEYS[2], 'epoch') or '0'), tonumber(last))
if attempt > 0 then
  redis.call('SET', KEYS[1], string.format('%.0f %.0f', attempt, last), 'EX', ARGV[2])
end
redis.call('DEL', unpack(KEYS, 3))
"""
