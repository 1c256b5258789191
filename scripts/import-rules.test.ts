import { describe, expect, test } from 'vitest';
import { emptyFolders, violations } from './import-rules.ts';

describe('the rules of imports and SQL', () => {
  test.each([
    ['contract/pings.ts', `import { z } from 'zod'; import { id } from './primitives.ts';`],
    ['web/inbox/inbox.tsx', `import { ping } from '#contract/pings.ts'; import { Banner } from '../ui/banner.tsx';`],
    ['web/main.tsx', `import { router } from './routes/router.ts';`],
    [
      'server/record/pings/routes.ts',
      `import { fold } from '#server/record/fold/fold.ts'; import { clock } from '#server/platform/calendar/clock.ts';`,
    ],
    ['server/record/pings/queries.ts', 'const a = sql`select 1 from pings where event_at < ${at}`;'],
    ['server/record/encounters/refold.ts', `import type { Transaction } from '#server/platform/database/pool.ts';`],
    ['server/platform/mail/send.ts', `import type { Config } from '#server/config.ts';`],
    ['server/app.ts', `import { seed } from '#demo/seed.ts'; import { pings } from './record/pings/routes.ts';`],
    ['server/intake/hl7/message.test.ts', `import { readFileSync } from 'node:fs';`],
    [
      'server/record/pings/pings.db.test.ts',
      `import { testDatabase } from '../../testing/database.ts'; const t = 'select now()';`,
    ],
    ['server/platform/http/log.ts', 'const now = () => clock.now(); const label = `Select a team`;'],
  ])('let %s pass', (path, text) => {
    expect(violations({ path, text })).toEqual([]);
  });

  test.each([
    ['contract/pings.ts', `import pg from 'pg';`, /but this folder is pure/],
    ['contract/pings.ts', `import x from 'y';`, /imports 'y', but the contract imports zod and itself/],
    ['contract/pings.ts', `import { x } from '#server/platform/calendar/clock.ts';`, /but the contract imports zod/],
    ['web/inbox/inbox.tsx', `import type { Ping } from '#server/record/pings/routes.ts';`, /by the contract alone/],
    ['web/ui/banner.tsx', `import { useSession } from '../session/session.ts';`, /session comes after ui/],
    ['web/gossip/gossip.tsx', `import { Banner } from '../ui/banner.tsx';`, /web\/gossip has no place/],
    [
      'server/record/matching/match.ts',
      `import { send } from '#server/record/pings/notify.ts';`,
      /record\/pings comes after record\/matching on its floor/,
    ],
    ['server/record/matching/match.ts', `export * from '../pings/notify.ts';`, /pings comes after/],
    [
      'server/record/matching/match.ts',
      `const late = await import('#server/record/pings/notify.ts');`,
      /pings comes after/,
    ],
    ['server/record/matching/match.ts', `type Late = import('#server/work/live/routes.ts').Late;`, /floor work comes/],
    [
      'server/platform/database/pool.ts',
      `import type { Actor } from '#server/people/access/actor.ts';`,
      /the floor people comes after platform/,
    ],
    ['server/record/pings/routes.ts', `import { testDatabase } from '../../testing/database.ts';`, /only tests do/],
    ['server/record/pings/routes.ts', `import { startApp } from '#server/app.ts';`, /no floor imports the composition/],
    [
      'server/record/pings/routes.ts',
      `import { seed } from '#demo/seed.ts';`,
      /the server imports itself and the contract/,
    ],
    [
      'server/record/gossip/gossip.ts',
      `import { sql } from '#server/platform/database/sql.ts';`,
      /server\/record\/gossip has no place/,
    ],
    [
      'server/record/pings/notify.ts',
      `import { whisper } from '#server/record/gossip/gossip.ts';`,
      /server\/record\/gossip has no place/,
    ],
    ['server/intake/hl7/message.ts', `import { readFileSync } from 'node:fs';`, /this folder is pure/],
    ['server/record/fold/fold.ts', `import { connect } from 'node:net';`, /this folder is pure/],
    [
      'server/record/fold/fold.ts',
      `import type { Row } from '#server/platform/database/pool.ts';`,
      /this folder is pure/,
    ],
    ['server/record/scoring/decide.ts', 'const a = sql`select 1`;', /contains SQL/],
    ['server/work/search/columns/table.ts', `import { a } from '#server/platform/text/a.ts';`, /the columns know/],
    ['server/work/search/columns/page.ts', `import { readFileSync } from 'node:fs';`, /this folder is pure/],
    ['demo/world/truth.ts', `import { parse } from '#server/intake/hl7/message.ts';`, /without our parser/],
    ['server/record/pings/routes.ts', 'const q = sql`\n  select id from pings`;', /contains SQL/],
    ['server/record/pings/routes.ts', `const q = 'update pings set state = 1';`, /contains SQL/],
    ['server/record/pings/queries.ts', 'const q = sql`select 1 from pings where event_at < now()`;', /takes the time/],
    [
      'server/record/pings/queries.ts',
      'const q = sql`select 1 where x < CURRENT_DATE and y = ${1}`;',
      /takes the time/,
    ],
  ])('stop %s with %s', (path, text, reason) => {
    const found = violations({ path, text });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(reason);
    expect(found[0]?.startsWith(`${path}: `)).toBe(true);
  });

  test('name no folder that does not exist', () => {
    expect(emptyFolders(['server/platform/text/sort-key.ts'])).not.toContain('server/platform/text');
    expect(emptyFolders(['server/platform/text/sort-key.ts'])).toContain('server/work/live');
  });
});
