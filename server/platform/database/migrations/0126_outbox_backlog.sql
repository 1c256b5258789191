-- What waits to be sent, and what failed, is counted each time that an operator's monitoring asks.
create index outbox_backlog on outbox (channel, created_at) where state in ('queued', 'failed');
