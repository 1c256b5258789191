-- The outbox becomes the log of deliveries too: what happened to each letter, and to which user it went. Notifications, and later other letters,
-- use it with a key, so that no letter is sent twice.

alter table outbox
  add column state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed', 'suppressed')),
  add column attempts smallint not null default 0,
  add column attempted_at timestamptz,
  add column topic text not null default 'ACCOUNT' check (topic in ('ACCOUNT', 'SAVED_FILTER', 'CORRECTION')),
  add column once_key text unique,
  add column user_id bigint references users on delete cascade;
update outbox set state = case when sent_at is not null then 'sent' when failure = 'NOT_CONFIGURED' then 'failed' else 'queued' end;
alter table outbox add check ((once_key is null) = (topic = 'ACCOUNT'));
comment on column outbox.state is 'queued: to be sent, also again after a failure. sending: an attempt has begun; if its process ends, nobody knows whether the letter went out. failed: not tried again. suppressed: not sent, because it must not or can not reach its reader.';
comment on column outbox.failure is 'Why the last attempt failed, or why the letter was suppressed: an SMTP reply code, an HTTP status, an error of the network, or a word of ours.';
comment on column outbox.once_key is 'The same for a letter that is queued twice. A letter with a key is sent once or not at all; one without it, such as a link that its reader waits for, may be sent twice.';
comment on column outbox.topic is 'What the letter is about. The user sees those that are not about the account in a list of deliveries.';
create index outbox_of_user on outbox (user_id, id) where user_id is not null;
create index outbox_sending on outbox (id) where state = 'sending';

-- Bodies stay hidden: a letter about the account may contain a token, and that is no row of this policy.
create policy of_user on outbox for select to tidings_app using (topic <> 'ACCOUNT' and user_id = (select acting_user()));

-- People who replied STOP to a text message. Numbers only: several users may share one.
create table text_opt_outs (
  phone text primary key check (phone ~ '^\+[1-9][0-9]{7,14}$'),
  opted_out_at timestamptz not null
);
comment on table text_opt_outs is 'Phone numbers (E.164) that get no text messages about notifications, because their owner replied STOP.';
alter table text_opt_outs enable row level security;
create policy pipeline on text_opt_outs to tidings_pipeline using (true);
grant select, insert, delete on text_opt_outs to tidings_pipeline;

create function note_text_reply(phone text, is_stop boolean, at timestamptz) returns void
language sql security definer set search_path = tidings, pg_temp as $$
  delete from text_opt_outs o where o.phone = note_text_reply.phone and not is_stop;
  insert into text_opt_outs (phone, opted_out_at) select note_text_reply.phone, at where is_stop on conflict do nothing $$;
comment on function note_text_reply is 'Notes that a number wants no text messages, or wants them again. The gateway''s signed calls act for no user.';

create function has_opted_out(user_id bigint) returns boolean
language sql stable security definer set search_path = tidings, pg_temp as $$
  select exists (
    select from users u join text_opt_outs o on o.phone = u.notification_phone
    where u.id = has_opted_out.user_id and u.id = acting_user()) $$;
comment on function has_opted_out is 'Whether the acting user''s own number wants no text messages.';

revoke all on function note_text_reply, has_opted_out from public;
grant execute on function note_text_reply, has_opted_out to tidings_app, tidings_pipeline;
