import { describe, expect, test } from 'vitest';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { PATH, preferences, startSavedFilterApp } from '#server/testing/saved-filters.ts';

const { app, asked, rows } = await startSavedFilterApp();
const { make } = app;

describe('the preview', () => {
  const preview = (client: Client, body: object) => client.call(`POST ${PATH}/preview`, { body });

  test('counts the pings of thirty days in the requested groups of the actor', async () => {
    const { id: organizationId } = await make.organization();
    const [a, b] = [await make.group({ organizationId }), await make.group({ organizationId })];
    const foreign = await make.group();
    const team = await make.team({ organizationId, groupIds: [a.id, b.id] });
    const client = await signIn(app, (await make.user({ team })).username);
    asked.length = 0;
    const answer = { days: 30, pings: 12, patients: 7 };
    expect(await preview(client, preferences({ gender: ['Male'] }))).toEqual(answer);
    expect(await preview(client, { visibleTo: [b.id, foreign.id] })).toEqual(answer);
    expect(asked.map(({ parameters }) => parameters.visibleTo?.toSorted())).toEqual([[a.id, b.id].toSorted(), [b.id]]);
    expect(asked[0]?.parameters.userDefinedFacetPreferences.preferenceMap.gender).toHaveLength(1);
    expect(asked.map(({ createdSince }) => createdSince.toISOString())).toEqual(
      Array(2).fill('2026-10-21T15:00:00.000Z'),
    );
    expect(await preview(client, { visibleTo: [foreign.id] })).toEqual({ days: 30, pings: 0, patients: 0 });
    expect(asked).toHaveLength(2);
  });

  test('leaves out groups whose pings the actor may not see, and checks facets like saving a filter', async () => {
    const { id: organizationId } = await make.organization();
    const [a, b] = [await make.group({ organizationId }), await make.group({ organizationId })];
    const team = await make.team({ organizationId, groupIds: [a.id, b.id] });
    const user = await make.user({ team, removed: ['canViewCovid19Status'] });
    await rows("update grants set removed = removed || '{canViewPings}' where user_id = $1 and group_id = $2", [
      user.id,
      b.id,
    ]);
    const client = await signIn(app, user.username);
    asked.length = 0;
    await preview(client, {});
    expect(asked[0]?.parameters.visibleTo).toEqual([a.id]);
    const body = preferences({ covid19: ['ACTIVE'] });
    expect(await errorOf(client, `POST ${PATH}/preview`, { body })).toMatchObject({ errorKey: 'BAD_REQUEST' });
    expect(asked).toHaveLength(1);
  });
});
