import { queryOptions } from '@tanstack/react-query';
import type { CALENDAR_PERIODS, SpotlightName } from '#contract/spotlights.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';

/** What is asked: a spotlight, a period, and one group or all. */
export interface SpotlightChoice {
  name: SpotlightName;
  from: string;
  to: string;
  calendar?: (typeof CALENDAR_PERIODS)[number];
  groupId: string | undefined;
  /** Only the people whom this saved filter finds. */
  filterId: string | undefined;
}

/** The groups that a spotlight can be limited to. */
export const spotlightListQuery = queryOptions({
  queryKey: ['spotlights'],
  queryFn: () => call('GET /api/spotlights'),
});

const queryOf = ({ from, to, calendar, groupId, filterId }: SpotlightChoice) => ({
  from,
  to,
  ...(calendar && { calendar }),
  ...(groupId && { groupId }),
  ...(filterId && { filterId }),
});

/** The page of another system that the organization shows. */
export const embeddedQuery = queryOptions({
  queryKey: ['embedded-spotlights'],
  queryFn: () => call('GET /api/spotlights/embedded'),
});

/** The spotlights that the user keeps, and those that the team shares. */
export const keptSpotlightsQuery = queryOptions({
  queryKey: ['kept-spotlights'],
  queryFn: () => call('GET /api/spotlights/custom'),
});

/** In milliseconds: visits arrive while the page is open. An unattended page is no activity. */
const COUNT_AGAIN_EVERY = 5 * 60_000;

export const spotlightQuery = (choice: SpotlightChoice) =>
  queryOptions({
    queryKey: ['spotlight', choice],
    queryFn: () =>
      inBackground(() =>
        call('GET /api/spotlights/:subName', { params: { subName: choice.name }, query: queryOf(choice) }),
      ),
    refetchInterval: COUNT_AGAIN_EVERY,
  });

/** A page of the patients behind a number. `facilityId`: of one facility. */
export const spotlightPeopleQuery = (choice: SpotlightChoice, facilityId: string | null, page: number) =>
  queryOptions({
    queryKey: ['spotlight-people', choice, facilityId, page],
    queryFn: () =>
      call('GET /api/spotlights/:subName/patients', {
        params: { subName: choice.name },
        query: { ...queryOf(choice), ...(facilityId && { facilityId }), pageNumber: page },
      }),
    placeholderData: (previous) => previous,
  });
