import { expect, test } from 'vitest';
import { administration, refusal } from '#server/testing/administration.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { approveFeed } from '#server/testing/feed-approval.ts';
import { adt, hospital } from '#server/testing/hospital.ts';

const app = await startApp();
const { make, database, clock } = app;
const { rows, organization } = administration(app);
const hosp = hospital(database, clock.now, make);
const operatorOf = await make.user({ team: await make.team(), role: 'administrator', isOperator: true });
const operator = await signIn(app, operatorOf.username);

let count = 0;
/** Adds an organization with a hospital, its feed and an administrator of the hospital. */
async function withFeed() {
  const code = `H${++count}`;
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const clinic = await make.group({ organizationId, type: 'HOS', facilityType: 'HOS' });
  const program = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [facility.id, program.id] });
  const admin = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const name = `Feed ${code}`;
  const feedId = await hosp.feed(organizationId, { [code]: facility.id }, { name });
  const sender = { name, sendingApplication: 'TESTADT', sendingFacility: code };
  return { admin, code, sender, params: { id: feedId }, facility, clinic, program };
}
const facilityOf = (identifier: string, groupId: string) => ({ identifier, groupId, registrationIsVisit: false });

test('only settings that differ from the defaults are stored, and they apply from the next message', async () => {
  const { admin, code, sender, params, facility } = await withFeed();
  expect(await admin.call('GET /api/admin/feeds/:id/settings', { params })).toEqual({
    ...sender,
    settings: {},
    facilities: [facilityOf(code, facility.id)],
    isBackfill: false,
    isWaiting: false,
    version: expect.any(String) as string,
  });
  const body = {
    ...sender,
    settings: { timeZone: 'America/Denver', dispositionMap: { home: '01' }, testProcessingIds: ['T', 'D'] },
    facilities: [{ ...facilityOf(code, facility.id), registrationIsVisit: true }],
    isBackfill: true,
  };
  const stored = {
    ...body,
    settings: { timeZone: 'America/Denver', dispositionMap: { HOME: '01' } },
    isWaiting: false,
    version: expect.any(String) as string,
  };
  expect(await admin.call('PUT /api/admin/feeds/:id/settings', { params, body })).toEqual(stored);
  expect(await admin.call('GET /api/admin/feeds/:id/settings', { params })).toEqual(stored);
  expect((await admin.call('GET /api/feeds', {})).find(({ id }) => id === params.id)?.timeZone).toBe('America/Denver');
  expect(
    await rows(
      "select detail -> 'changes' as changed from audit_entries where action = 'feed.change' and subject_id = $1",
      [params.id],
    ),
  ).toMatchObject([
    {
      changed: {
        'settings.timeZone': [null, 'America/Denver'],
        'settings.dispositionMap': [null, { HOME: '01' }],
        isBackfill: [false, true],
      },
    },
  ]);
});

test('a message is quarantined until its facility identifier is listed', async () => {
  const { admin, code, sender, params, facility } = await withFeed();
  const person = { family: 'Thistlewood', given: 'Maren', birthDate: '1944-07-19', sex: 'F', zip: '12207' } as const;
  const send = async (visit: string) => {
    const text = adt('A01', { at: '202611200900', record: 'MR-1', visit, facility: code, person });
    return (await hosp.message(await hosp.send(text))).status;
  };
  const put = (facilities: ReturnType<typeof facilityOf>[]) =>
    admin.call('PUT /api/admin/feeds/:id/settings', {
      params,
      body: { ...sender, settings: {}, facilities, isBackfill: false },
    });
  await put([facilityOf('ELSEWHERE', facility.id)]);
  await approveFeed(operator, params.id);
  expect(await send('V-1')).toBe('QUARANTINED');
  await put([facilityOf(code, facility.id)]);
  expect(await send('V-1')).toBe('QUARANTINED');
  await approveFeed(operator, params.id);
  expect(await send('V-2')).toBe('APPLIED');
});

test('problems are reported by field, and nothing is changed', async () => {
  const { admin, code, sender, params, facility, program } = await withFeed();
  const own = facilityOf(code, facility.id);
  const wrong: [Record<string, unknown>, ReturnType<typeof facilityOf>[], string][] = [
    [{ timeZone: 'Mars/Olympus' }, [own], 'settings.timeZone'],
    [{ colour: 'red' }, [own], 'settings'],
    [{ dispositionMap: { HOME: 'one' } }, [own], 'settings.dispositionMap.HOME'],
    [{ classMap: [{ patientClass: 'I', setting: 'MOON' }] }, [own], 'settings.classMap.0.setting'],
    [{}, [], 'facilities'],
    [{}, [own, own], 'facilities.1.identifier'],
    [{}, [own, facilityOf('P', program.id)], 'facilities.1.groupId'],
  ];
  for (const [settings, facilities, field] of wrong) {
    await expect(
      admin.call('PUT /api/admin/feeds/:id/settings', {
        params,
        body: { ...sender, settings, facilities, isBackfill: false },
      }),
    ).rejects.toMatchObject({ body: { errorKey: 'BAD_REQUEST', fields: { [field]: expect.any(String) as string } } });
  }
  expect(await admin.call('GET /api/admin/feeds/:id/settings', { params })).toMatchObject({
    settings: {},
    facilities: [own],
  });
});

test('only someone who manages all facilities of a feed can change it; other organizations do not see it', async () => {
  const { admin, code, sender, params, facility, clinic } = await withFeed();
  const own = facilityOf(code, facility.id);
  const put = (groupId: string) =>
    refusal(
      admin.call('PUT /api/admin/feeds/:id/settings', {
        params,
        body: { ...sender, settings: {}, facilities: [own, facilityOf('X', groupId)], isBackfill: false },
      }),
    );
  expect(await put(clinic.id)).toBe('NOT_PERMITTED');
  const stranger = await organization();
  expect(await put(stranger.here.id)).toBe('NOT_FOUND');
  expect(await refusal(stranger.admin.call('GET /api/admin/feeds/:id/settings', { params }))).toBe('NOT_FOUND');
  expect(
    await refusal(
      stranger.admin.call('PUT /api/admin/feeds/:id/settings', {
        params,
        body: { ...sender, settings: {}, facilities: [facilityOf('X', stranger.here.id)], isBackfill: false },
      }),
    ),
  ).toBe('NOT_FOUND');
  await rows('insert into feed_facilities (feed_id, identifier, group_id) values ($1, $2, $3)', [
    params.id,
    'CLINIC',
    clinic.id,
  ]);
  expect(await put(facility.id)).toBe('NOT_PERMITTED');
});

test('settings that someone else has changed are not overwritten', async () => {
  const { admin, params } = await withFeed();
  const read = await admin.call('GET /api/admin/feeds/:id/settings', { params });
  const change = (timeZone: string) =>
    admin.call('PUT /api/admin/feeds/:id/settings', { params, body: { ...read, settings: { timeZone } } });
  const changed = await change('America/Denver');
  expect(await refusal(change('America/Chicago'))).toBe('CHANGED_BY_OTHER');
  expect(await admin.call('GET /api/admin/feeds/:id/settings', { params })).toEqual(changed);
});
