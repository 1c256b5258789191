import { afterEach, expect, test, vi } from 'vitest';
import { call, callForTeam, onSessionEnded, pathOf } from './call.ts';
import { ApiError } from './error.ts';

const answer = (status: number, body: unknown): ReturnType<typeof vi.fn> => {
  const fetch = vi.fn(async () => new Response(body === undefined ? null : JSON.stringify(body), { status }));
  vi.stubGlobal('fetch', fetch);
  return fetch;
};
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('parameters are encoded into the path, and undefined query values are left out', () => {
  expect(pathOf('GET /api/patients/:id', { params: { id: '1_2/..' } })).toBe('/api/patients/1_2%2F..');
  expect(pathOf('GET /api/feeds/messages', { query: { pageNumber: 2, status: undefined } })).toBe(
    '/api/feeds/messages?pageNumber=2',
  );
});

test('every call carries the team and the session', async () => {
  const fetch = answer(200, { count: 3 });
  callForTeam('7');
  await expect(call('GET /api/pings/count/:kind', { params: { kind: 'open' } })).resolves.toEqual({ count: 3 });
  expect(fetch).toHaveBeenCalledWith(
    '/api/pings/count/open',
    expect.objectContaining({ method: 'GET', credentials: 'same-origin', headers: { 'x-ping-team-id': '7' } }),
  );
});

test('an error carries the fields of the body', async () => {
  const current = { status: 'RESOLVED', username: 'kofi', date: '2026-11-21T15:41:00Z' };
  answer(409, { status: 409, errorKey: 'PING_CHANGED_BY_OTHER', message: 'Changed.', requestId: 'r1', current });
  const error = await call('GET /api/application-info').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 409, errorKey: 'PING_CHANGED_BY_OTHER', requestId: 'r1', current });
});

test('a 401 ends the session, except on the current-user call', async () => {
  const ended = vi.fn();
  onSessionEnded(ended);
  answer(401, { errorKey: 'NOT_SIGNED_IN' });
  await expect(call('GET /api/me')).rejects.toThrow();
  expect(ended).not.toHaveBeenCalled();
  await expect(call('POST /api/logout')).rejects.toThrow();
  expect(ended).toHaveBeenCalledOnce();
});

test.each([
  [JSON.stringify({ errorKey: 'BUSY', message: 'Tidings is very busy.' }), 'Tidings is very busy.'],
  ['<h1>Bad gateway</h1>', "Tidings isn't available right now. Try again in a few minutes."],
])('a 503 fails where the call was made, and stays on the page: %s', async (body, message) => {
  vi.stubGlobal('fetch', async () => new Response(body, { status: 503 }));
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  await expect(call('POST /api/patients/similar-names', { body: { patientIds: [] } })).rejects.toThrow(message);
  expect(assign).not.toHaveBeenCalled();
});

test('a wrong password or code does not end the session', async () => {
  const ended = vi.fn();
  onSessionEnded(ended);
  answer(401, { errorKey: 'WRONG_PASSWORD', message: 'Not right.', requestId: 'r2' });
  await expect(
    call('PUT /api/users/password', { body: { currentPassword: 'a', newPassword: 'bcdefghi' } }),
  ).rejects.toThrow('Not right.');
  expect(ended).not.toHaveBeenCalled();
});
