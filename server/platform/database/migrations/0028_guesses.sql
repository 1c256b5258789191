-- Guesses are recognized as the matcher reads names and numbers. Addresses of senders are known only after a while.

-- The old hashes say nothing any more.
delete from identity_attempts;
alter table identity_attempts drop column key, drop column details,
  add column keys bigint[] not null, add column guesses bigint[] not null;
create index on identity_attempts using gin (keys);
create index on identity_attempts (group_id, at);
comment on table identity_attempts is 'Details of people that a roster row replaced or a manual entry gave, hashed. keys: what stays the same while someone guesses the rest (server/record/scoring/guess-keys.ts); guesses: for each key, what would be guessed. Kept 30 days.';

-- A single message that claims a feed's name reserves no connections any more: an address is known a week after its first message of a feed.
delete from mllp_senders;
alter table mllp_senders drop constraint mllp_senders_pkey,
  add column feed_id bigint not null references feeds (id),
  add column first_message_at timestamptz not null,
  add primary key (feed_id, address);
comment on table mllp_senders is 'Addresses from which messages of a feed came in the last 30 days, and since when (server/intake/mllp/known-senders.ts).';
