-- Guesses are recognized as the matcher reads names and numbers, so the old hashes say nothing any more.

delete from identity_attempts;
alter table identity_attempts drop column key, drop column details,
  add column keys bigint[] not null, add column guesses bigint[] not null;
create index on identity_attempts using gin (keys);
create index on identity_attempts (group_id, at);
comment on table identity_attempts is 'Details of people that a roster row replaced or a manual entry gave, hashed. keys: what stays the same while someone guesses the rest (server/record/scoring/guess-keys.ts); guesses: for each key, what would be guessed. Kept 30 days.';
