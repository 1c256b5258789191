-- The matcher's index was twelve times the size of what it says: each key with the kind of its subject as text and the sketch beside it, and all of it
-- in two indexes. Now a key is a number (server/record/scoring/key-hashes.ts), and the sketch stands once for each subject.
alter table blocking_keys rename to old_keys;
alter table old_keys rename constraint blocking_keys_pkey to old_keys_pkey;

create table blocking_keys (
  key bigint not null,
  subject bigint not null,
  primary key (key, subject)
);
comment on table blocking_keys is 'By which keys a subject is found. The subject is the id of a row in roster_patients, or minus that of one in source_patients.';
create table blocking_entries (
  subject bigint primary key,
  keys bigint[] not null,
  sketch bytea
);
comment on table blocking_entries is 'Each subject''s keys in blocking_keys, and its sketch, which shows without reading the record that most of those who share a key are strangers. Patient data, as the keys are.';
comment on column blocking_entries.sketch is 'See server/record/scoring/sketch.ts. Null: an earlier version stored the keys.';

alter table blocking_keys enable row level security;
alter table blocking_entries enable row level security;
grant select, insert, update, delete on blocking_keys, blocking_entries to tidings_pipeline;
create policy pipeline on blocking_keys for all to tidings_pipeline using (true);
create policy pipeline on blocking_entries for all to tidings_pipeline using (true);

-- The same as hashOf and hashOfKey, for the keys that are stored.
create function product_of_hash(a bigint, b bigint) returns bigint immutable language sql as $$
  select (a * (b & 65535) + (((a * (b >> 16)) & 65535) << 16)) & 4294967295
$$;
create function hash_of(value text) returns bigint immutable language plpgsql as $$
declare
  high bigint := 3735928559;
  low bigint := 1103547991;
  code integer;
  unit integer;
begin
  foreach code in array array(select ascii(c) from string_to_table(value, null) as c) loop
    foreach unit in array case when code < 65536 then array[code]
      else array[55296 + ((code - 65536) >> 10), 56320 + ((code - 65536) & 1023)] end loop
      high := product_of_hash(high # unit, 2654435761);
      low := product_of_hash(low # unit, 1597334677);
    end loop;
  end loop;
  high := product_of_hash(high # (high >> 16), 2246822507) # product_of_hash(low # (low >> 13), 3266489909);
  low := product_of_hash(low # (low >> 16), 2246822507) # product_of_hash(high # (high >> 13), 3266489909);
  return ((low & 2097151) << 32) + high;
end $$;
create function hash_of_key(key text) returns bigint immutable language sql as $$
  select ((position(left(key, 1) in 'PEMIDSAHGYZN') - 1)::bigint << 49) + case
    when left(key, 1) in ('S', 'H', 'Z') then
      ((hash_of(regexp_replace(substr(key, 3), ':[^:]*$', '')) & 16777215) << 25)
        + (hash_of(substring(key from '[^:]*$')) & 33554431)
    else hash_of(substr(key, 3)) & 562949953421311 end
$$;

insert into blocking_entries (subject, keys, sketch)
select case subject when 'SOURCE_PATIENT' then -subject_id else subject_id end, array_agg(distinct hash_of_key(key)),
  (array_agg(sketch) filter (where sketch is not null))[1]
from old_keys group by 1;
insert into blocking_keys (key, subject)
select key, subject from blocking_entries cross join unnest(keys) as k (key) order by 1, 2;
drop table old_keys;
drop function hash_of_key, hash_of, product_of_hash;

create or replace function analyze_identities() returns void
language plpgsql security definer set search_path = tidings, pg_temp as $$
begin
  analyze blocking_keys, blocking_entries, persons;
end $$;
