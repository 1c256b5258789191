-- Systems also post FHIR messages (POST /fhir/$process-message), with the tokens of feeds of kind FHIR. A token opens what its feed's kind takes.
drop function use_document_token(bytea, timestamptz);
create function use_feed_token(hash bytea, of_kind text, used_at timestamptz) returns table (feed_id bigint, sender text)
language sql security definer set search_path = tidings, pg_temp as $$
  update document_tokens t set last_used_at = used_at from feeds f
  where t.token_hash = hash and t.revoked_at is null and (t.expires_at is null or t.expires_at > used_at)
    and f.id = t.feed_id and f.kind = of_kind and f.ended_at is null
  returning f.id, f.sending_application $$;
comment on function use_feed_token is 'The feed of a token that is valid, and what its messages name as their sender. The caller is a system without an account, so no row is visible to it.';
revoke execute on function use_feed_token from public;
grant execute on function use_feed_token to tidings_app;
comment on table document_tokens is 'Tokens of feeds whose systems post: documents (kind CCDA), and messages (kind FHIR).';
