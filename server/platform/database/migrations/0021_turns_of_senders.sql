-- Senders take turns in the queue.

alter table messages add sender bigint not null default 0;
comment on column messages.sender is 'Whose turn the message takes in the queue: the feed of its sender when it was stored, 0 if there was none, -1 for manual entries and jobs. Which feed a message belongs to is feed_id.';
drop index messages_queue;
create index messages_queue on messages (sender, id) where status = 'PENDING';
grant update (sender) on messages to tidings_app;
