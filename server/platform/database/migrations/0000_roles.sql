-- The owner owns every table. The other two roles get what a migration grants them by name, table by table, and
-- nothing by default: a table that nobody thought about is closed. Functions too, which PostgreSQL opens to all.
alter default privileges revoke execute on functions from public;

grant usage on schema tidings to tidings_app, tidings_pipeline;
