import type { Migration } from "./migration.ts";

// Type json keeps what an application wrote as it stands, also a NUL, which jsonb refuses.
const RUNS = `
create table run (
  id text primary key,
  key text unique,
  name text not null,
  state text not null default 'open' check (state in ('open', 'finished', 'cancelled')),
  priority integer not null default 0,
  options json not null,
  jobs integer not null,
  submitted_by text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index run_created on run (created_at desc);

create table job (
  id uuid primary key default gen_random_uuid(),
  run text not null references run on delete cascade,
  number integer not null,
  test json not null,
  spec json not null,
  files json not null,
  labels text[] not null default '{}',
  locks text[] not null default '{}',
  duration_key text not null,
  expected_ms integer,
  retries integer not null default 0,
  state text not null default 'waiting'
    check (state in ('waiting', 'running', 'passed', 'failed', 'flaky', 'skipped', 'cancelled')),
  exit integer,
  reason text,
  result json,
  item uuid,
  not_before timestamptz,
  deadline timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  unique (run, number)
);
create index job_open on job (run) where state in ('waiting', 'running');
create index job_item on job (item) where item is not null;
create index job_finished on job (finished_at) where finished_at is not null;

create table attempt (
  id uuid primary key,
  job uuid not null references job on delete cascade,
  number integer not null,
  queue text not null,
  state text not null default 'queued'
    check (state in ('queued', 'active', 'passed', 'failed', 'cancelled', 'lost')),
  token integer,
  worker uuid,
  slot integer,
  deliveries integer not null default 0,
  began_at timestamptz,
  finished_at timestamptz,
  result json,
  unique (job, number)
);
create index attempt_worker on attempt (worker) where state = 'active';
`;

const CLAIMS = `
create table claim (
  attempt uuid not null references attempt on delete cascade,
  path text not null,
  number integer not null,
  token integer not null,
  worker uuid not null,
  nonce uuid not null,
  step text not null,
  at timestamptz not null default clock_timestamp(),
  outcome text check (outcome in ('done', 'not_done')),
  primary key (attempt, path, number)
);
create index claim_open on claim (worker) where outcome is null;

create table worker (
  id uuid primary key,
  name text not null,
  host text not null,
  pid integer not null,
  labels text[] not null,
  desktops integer not null,
  version text not null,
  state text not null default 'active' check (state in ('active', 'draining', 'ended')),
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  finished_at timestamptz
);
create index worker_live on worker (name) where state <> 'ended';

create table lock (
  name text primary key,
  attempt uuid not null references attempt on delete cascade,
  token integer not null,
  at timestamptz not null default now()
);
create index lock_attempt on lock (attempt);

create table event (
  id bigint generated always as identity primary key,
  run text not null references run on delete cascade,
  job uuid,
  attempt uuid,
  token integer,
  at timestamptz not null default clock_timestamp(),
  xact xid8 not null default pg_current_xact_id(),
  body json not null
);
create index event_run on event (run, xact, id);
`;

const CONTENT = `
create table blob (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  bytes bytea not null check (octet_length(bytes) <= ${16 << 20}),
  created_at timestamptz not null default now()
);
create table blob_use (
  run text not null references run on delete cascade,
  hash text not null references blob,
  primary key (run, hash)
);
create index blob_use_hash on blob_use (hash);

create table duration (
  key text primary key,
  duration_ms integer not null check (duration_ms >= 0),
  status text not null check (status in ('passed', 'failed', 'flaky')),
  updated_at timestamptz not null default now()
);

create table artefact (
  id uuid primary key default gen_random_uuid(),
  attempt uuid not null references attempt on delete cascade,
  token integer not null,
  kind text not null,
  name text not null,
  size bigint not null default 0,
  complete boolean not null default false,
  keep_until timestamptz,
  created_at timestamptz not null default now(),
  unique (attempt, token, name)
);
create index artefact_keep on artefact (keep_until) where keep_until is not null;
create table artefact_piece (
  artefact uuid not null references artefact on delete cascade,
  number integer not null,
  bytes bytea not null check (octet_length(bytes) <= ${256 << 10}),
  primary key (artefact, number)
);
`;

const ITEMS = `
create table item_list (
  name text primary key,
  created_at timestamptz not null default now()
);
create table item (
  id uuid primary key default gen_random_uuid(),
  list text not null references item_list on delete cascade,
  number integer not null,
  key text,
  data json not null,
  state text not null default 'new'
    check (state in ('new', 'in_progress', 'done', 'failed', 'rejected', 'cancelled')),
  attempts integer not null default 0,
  run text references run on delete set null,
  job uuid references job on delete set null,
  not_before timestamptz,
  deadline timestamptz,
  reason text,
  verdict json,
  result json,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  unique (list, number),
  unique (list, key)
);
create index item_new on item (list, number) where state = 'new';
`;

/** Runs, jobs, claims, workers, events, files, durations, artefacts and items. */
export const FIRST: Migration = {
  number: 1,
  name: "runs, jobs, claims, workers, events, files, durations, artefacts, items",
  sql: RUNS + CLAIMS + CONTENT + ITEMS,
};
