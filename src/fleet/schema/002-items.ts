import type { Migration } from "./migration.ts";

// The state of an item is that of its job, whoever changes that, in the same transaction. No JSON is read here: PostgreSQL
// refuses to take a text with a NUL out of it.
const FOLLOWS = `
alter table item_list add column next integer not null default 1;
alter table job add column verdict text, add column error_code text;
create index job_verdict on job (verdict, finished_at) where verdict is not null;

create function item_follows() returns trigger language plpgsql set search_path from current as $$
begin
  update item set
    state = case
      when new.state in ('passed', 'flaky') then 'done'
      when new.state = 'failed' then case when new.error_code = 'rejected' then 'rejected' else 'failed' end
      when new.state in ('cancelled', 'skipped') then 'cancelled'
      when new.started_at is not null then 'in_progress'
      else 'new' end,
    attempts = attempts + case when new.state = 'running' and old.state <> 'running' then 1 else 0 end,
    reason = coalesce(new.reason, reason),
    started_at = coalesce(item.started_at, new.started_at),
    finished_at = new.finished_at
  where id = new.item and job = new.id;
  return null;
end $$;
create trigger item_follows after update of state, error_code on job
  for each row when (new.item is not null) execute function item_follows();

create index item_state on item (list, state, number);
create index item_job on item (job) where job is not null;
`;

/** Items follow their jobs; jobs have what they are searched by. */
export const ITEMS: Migration = {
  number: 2,
  name: "items follow their jobs, jobs are found by verdict",
  sql: FOLLOWS,
};
