import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import { ERRORS, type ErrorKey } from '#contract/errors.ts';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import { queryClient } from '../api/query-client.ts';
import { RouterProvider } from '../router/outlet.tsx';
import { makeRouter } from '../routes/router.ts';
import { memoryHistory } from './memory-history.ts';

/** Generous, because a busy machine loads the parts of a page slowly. */
configure({ asyncUtilTimeout: 8000 });
vi.setConfig({ testTimeout: 30_000 });

/** Sets the width of the window in px. Call it before the application opens. */
export const setWidth = (width: number): void => {
  (window as unknown as { happyDOM: { setViewport: (to: { width: number }) => void } }).happyDOM.setViewport({ width });
};

export interface Called {
  /** As in the contract, with the parameters filled in. */
  route: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  headers: Record<string, string>;
}
type Answered = [status: number, body?: unknown];
type Answer = Answered | ((call: Called) => Answered | Promise<Answered>);

const INFO = {
  version: '1.0.0',
  productName: 'Tidings',
  companyName: 'Alder Bay',
  support: { email: 'help@tidings.example', phone: null, link: 'https://help.tidings.example' },
  features: { supportWidget: null, demoAccounts: [] },
  limits: { rosterRows: 1, rosterBytes: 1 },
};
const DEFAULTS: Record<string, Answer> = {
  'GET /api/application-info': [200, INFO],
  'GET /api/me': [401, { errorKey: 'NOT_SIGNED_IN' }],
  'GET /api/export/recent-export-jobs': [200, []],
  'POST /api/user-events': [204],
  'POST /api/user-events/public': [204],
  'POST /api/client-errors': [204],
  'POST /api/logout': [204],
};

/** Adds the server's message to the body of an error. */
const withMessage = (body: unknown): unknown => {
  const { errorKey } = (body ?? {}) as { errorKey?: ErrorKey };
  return errorKey ? { message: ERRORS[errorKey][1], ...(body as object) } : body;
};

/** A live stream that opens and sends nothing. */
class SilentStream extends EventTarget {
  onopen: (() => void) | null = null;
  constructor() {
    super();
    queueMicrotask(() => this.onopen?.());
  }
  close(): void {}
}

/** Answers the page's calls, and those without an answer with NOT_FOUND. Returns the list of calls, which grows. */
export const serve = (answers: Record<string, Answer>): Called[] => {
  const called: Called[] = [];
  // Unless the test has its own.
  if (!('EventSource' in window)) vi.stubGlobal('EventSource', SilentStream);
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const { pathname, searchParams: query } = new URL(path, location.origin);
    const one: Called = {
      route: `${init.method ?? 'GET'} ${pathname}`,
      query,
      body:
        init.body instanceof FormData
          ? Object.fromEntries(init.body.entries())
          : typeof init.body === 'string'
            ? JSON.parse(init.body)
            : {},
      headers: (init.headers ?? {}) as Record<string, string>,
    };
    called.push(one);
    const found = answers[one.route] ?? DEFAULTS[one.route] ?? [404, { errorKey: 'NOT_FOUND' }];
    const [status, body] = typeof found === 'function' ? await found(one) : found;
    return new Response(body === undefined ? null : JSON.stringify(withMessage(body)), { status });
  });
  return called;
};

/** A signed-in user with one team, in which they hold these permissions. */
export const somebody = (
  user: Partial<Me['user']> = {},
  { permissions = [], ...me }: Partial<Me> & { permissions?: string[] } = {},
): Me =>
  ({
    daysUntilPasswordExpiration: 60,
    previousSuccessfulLogin: null,
    numberSuccessfulLogins: 3,
    mfaOptedIn: false,
    defaultTeam: '5',
    preferences: DEFAULT_PREFERENCES,
    defaultFilters: [],
    sessionEndsAt: '2999-01-01T00:00:00Z',
    inactivityMinutes: 40,
    draftKey: 'of-ana',
    ...me,
    user: {
      id: '1',
      firstName: 'Ana',
      lastName: 'Example',
      username: 'ana@lakeshore.example',
      createdDate: '2026-01-01T00:00:00Z',
      primaryClinicalSetting: null,
      isSSO: false,
      isAuth0: false,
      patientId: null,
      applicationExperience: 'JANUS',
      teams: {
        5: {
          id: '5',
          name: 'Team East',
          type: 'PROGRAM',
          groups: {},
          organization: { id: '9', name: 'Lakeshore', createdDate: null },
          permissions,
        },
      },
      ...user,
    },
  }) as unknown as Me;

/** Somebody whose team has one group, with these permissions there. */
export const uploader = (permissions: string[], { id = '1', type = 'PROGRAM' } = {}): Me => {
  const me = somebody({}, { permissions });
  const groups = { [id]: { id, name: 'Lakeshore ACO', type, permissions } };
  return { ...me, user: { ...me.user, teams: { 5: { ...me.user.teams['5'], groups } } } } as unknown as Me;
};

/** Opens the whole application at a path, as a browser would. */
export const openApp = (path: string, state: object = {}) => {
  queryClient.clear();
  sessionStorage.clear();
  const router = makeRouter(memoryHistory(path, state));
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return router;
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
