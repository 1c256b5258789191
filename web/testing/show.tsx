import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Team, User } from '#contract/accounts.ts';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import { queryClient } from '../api/query-client.ts';
import { RouterContext } from '../router/hooks.ts';
import { makeRouter } from '../routes/router.ts';
import { SessionContext } from '../session/session.ts';
import { memoryHistory } from './memory-history.ts';

const AT = '2026-11-21T11:00:00Z';
/** An invented team without groups. */
export const team: Team = {
  id: '1',
  createdDate: AT,
  abbreviation: 'LCT',
  name: 'Lakeshore care team',
  type: 'PROGRAM',
  groups: {},
  organization: { id: '1', name: 'Lakeshore', createdDate: AT },
  permissions: ['canManageUsers'],
};
/** An invented user of that team. */
export const user: User = {
  id: '1',
  firstName: 'Rosa',
  lastName: 'Diaz',
  title: null,
  userTypeTitle: null,
  username: 'rosa@lakeshore.example',
  previousSuccessfulLogin: null,
  teams: { 1: team },
  createdDate: AT,
  currentLoginDate: AT,
  firstLoginDate: AT,
  usersFirstLogin: false,
  numberSuccessfulLogins: 2,
  primaryClinicalSetting: null,
  lastActivationEmailDate: null,
  isSSO: false,
  isAuth0: false,
  applicationExperience: 'JANUS',
  patientId: null,
  ehrPatientIdentifier: null,
  needPatientBanner: true,
  mfaOptedIn: false,
};

/** Renders part of a page behind sign-in, with an empty query cache. */
export const show = (children: ReactNode, router = makeRouter(memoryHistory())) => {
  queryClient.clear();
  return render(
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <RouterContext value={router}>
          <SessionContext
            value={{
              user,
              team,
              preferences: DEFAULT_PREFERENCES,
              can: (permission) => team.permissions.includes(permission),
            }}
          >
            {children}
          </SessionContext>
        </RouterContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
};
