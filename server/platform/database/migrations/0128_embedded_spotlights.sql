-- A page of another system that an organization shows among its spotlights.
alter table organizations add column embedded_spotlights text;
comment on column organizations.embedded_spotlights is 'Its https address, at a host that the installation allows (TIDINGS_EMBED_HOSTS).';
grant update (embedded_spotlights) on organizations to tidings_app;
