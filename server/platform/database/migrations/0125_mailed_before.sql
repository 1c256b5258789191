-- Whether someone was mailed lately is asked for each administrator with a request to join, every minute.
create index outbox_of_recipient on outbox (recipient, subject, created_at);
