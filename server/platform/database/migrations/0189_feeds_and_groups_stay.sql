-- Feeds and groups end, and stay: no code deletes one.
revoke delete on feeds, groups from tidings_pipeline, tidings_app;
