-- Which work was in progress when a thread or the process ended.

create table started_messages (
  message_id bigint primary key,
  alone smallint not null
);
comment on table started_messages is 'Messages whose processing has started and not ended. A row that no transaction is working on is left over from a thread or process that ended: such messages are processed one by one.';
comment on column started_messages.alone is 'How often the message was started by itself. After three starts without an end it is quarantined.';
alter table started_messages enable row level security;
grant select, insert, update, delete on started_messages to tidings_pipeline;

-- No foreign key: a start is recorded while the step's transaction holds the upload.
create table started_uploads (
  upload_id bigint primary key,
  starts smallint not null
);
comment on table started_uploads is 'Roster uploads with a step that has started and not ended. starts: how often; after three the upload fails.';
alter table started_uploads enable row level security;
grant select, insert, update, delete on started_uploads to tidings_pipeline;
