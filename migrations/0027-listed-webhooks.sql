-- The list of webhooks does not go through those that were deleted.
create index webhooks_listed on webhooks (space_id, environment, id) where deleted_at is null;
