-- New digests come next to each other in the index, which the write-ahead log then repeats less of (docs/decisions/0127).

comment on table message_digests is 'The sender, the end of MSH-10, and SHA-256 of MSH-3, MSH-4, MSH-10 and the bytes, which detects a resent message. Kept longer than the message. Those of before version 0176 are only the hash.';
