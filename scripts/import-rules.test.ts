import { describe, expect, test } from 'vitest';
import { violations } from './import-rules.ts';

describe('the rules of imports and SQL', () => {
  test.each([
    ['contract/pings.ts', `import { z } from 'zod'; import { id } from './primitives.ts';`],
    ['web/inbox/inbox.tsx', `import { ping } from '#contract/pings.ts'; import { Banner } from '../ui/banner.tsx';`],
    [
      'server/pings/routes.ts',
      `import { fold } from '#server/encounters/fold.ts'; import { clock } from '#server/clock.ts';`,
    ],
    ['server/pings/queries.ts', 'const a = sql`select 1 from pings where event_at < ${at}`;'],
    ['server/encounters/fold.ts', `import type { Transaction } from '#server/database/pool.ts';`],
    ['server/app.ts', `import { seed } from '#demo/seed.ts'; import { pings } from './pings/routes.ts';`],
    ['server/hl7/message.test.ts', `import { readFileSync } from 'node:fs';`],
    [
      'server/pings/pings.db.test.ts',
      `import { testDatabase } from '../testing/database.ts'; const t = 'select now()';`,
    ],
    ['server/http/app.ts', 'const now = () => clock.now(); const label = `Select a team`;'],
  ])('let %s pass', (path, text) => {
    expect(violations({ path, text })).toEqual([]);
  });

  test.each([
    ['contract/pings.ts', `import pg from 'pg';`, /imports 'pg', but the contract imports zod and itself/],
    ['contract/pings.ts', `import { x } from '#server/clock.ts';`, /but the contract imports zod/],
    ['web/inbox/inbox.tsx', `import type { Ping } from '#server/pings/routes.ts';`, /by the contract alone/],
    ['server/matching/match.ts', `import { tell } from '#server/pings/tell.ts';`, /pings stands after matching/],
    ['server/matching/match.ts', `export * from '../pings/tell.ts';`, /pings stands after matching/],
    ['server/matching/match.ts', `const late = await import('#server/pings/tell.ts');`, /pings stands after matching/],
    [
      'server/database/pool.ts',
      `import type { Actor } from '#server/access/actor.ts';`,
      /access stands after database/,
    ],
    ['server/pings/routes.ts', `import { testDatabase } from '../testing/database.ts';`, /only tests do/],
    ['server/pings/routes.ts', `import { seed } from '#demo/seed.ts';`, /the server imports itself and the contract/],
    ['server/clock.ts', `import { sql } from './database/sql.ts';`, /a foundation of all/],
    ['server/gossip/gossip.ts', `import { sql } from '#server/database/sql.ts';`, /server\/gossip, which has no place/],
    ['server/hl7/message.ts', `import { readFileSync } from 'node:fs';`, /this folder is pure/],
    ['server/hl7/message.ts', `import type { Row } from '#server/database/pool.ts';`, /this folder is pure/],
    ['server/encounters/fold.ts', `import { connect } from 'node:net';`, /this folder is pure/],
    ['server/search/columns/table.ts', `import { sql } from '#server/database/sql.ts';`, /the columns know nothing/],
    ['server/search/columns/page.ts', `import { readFileSync } from 'node:fs';`, /this folder is pure/],
    ['demo/world/truth.ts', `import { parse } from '#server/hl7/message.ts';`, /knows the truth without our parser/],
    ['server/pings/routes.ts', 'const q = sql`\n  select id from pings`;', /contains SQL/],
    ['server/pings/routes.ts', `const q = 'update pings set state = 1';`, /contains SQL/],
    [
      'server/pings/queries.ts',
      'const q = sql`select 1 from pings where event_at < now()`;',
      /takes the time from the database/,
    ],
    ['server/pings/queries.ts', 'const q = sql`select 1 where x < CURRENT_DATE and y = ${1}`;', /takes the time/],
  ])('stop %s with %s', (path, text, reason) => {
    const found = violations({ path, text });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(reason);
    expect(found[0]?.startsWith(`${path}: `)).toBe(true);
  });
});
