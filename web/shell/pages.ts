import { useQuery } from '@tanstack/react-query';
import { experienceBase } from '#contract/experiences.ts';
import { countsQuery } from '../inbox/counts.ts';
import { holdingGroups } from '../pre-admit/holding-groups.ts';
import { reviewCountQuery } from '../reviews/review-queries.ts';
import {
  adminPath,
  eventFeedPath,
  exportsPath,
  feedsPath,
  inboxPath,
  lengthOfStayPath,
  patientsPath,
  preAdmitPath,
  risingRiskPath,
  rostersPath,
  spotlightsPath,
} from '../session/paths.ts';
import { rosterGroups } from '../session/roster-groups.ts';
import { useSession } from '../session/session.ts';
import type { CommandId } from '../ui/command-keys.ts';
import {
  IconActivity,
  IconChartHistogram,
  IconDownload,
  IconHandStop,
  IconHourglassHigh,
  IconInbox,
  IconPlug,
  IconTableImport,
  IconTrendingUp,
  IconUserSearch,
  IconUsers,
} from '../ui/icons.ts';

export interface Page {
  id: CommandId;
  to: string;
  label: string;
  /** For a phone's bar. */
  short?: string;
  Icon: typeof IconInbox;
  /** What else belongs to it besides the pages below its own. */
  also?: string[] | undefined;
  /** What waits there: "3 to review". */
  count?: number | null;
  countWord?: string;
}

/** The pages that the user may open, with the counts of what waits there. */
export const usePages = (): Page[] => {
  const { team, user, can } = useSession();
  const { data: counts } = useQuery({ ...countsQuery, enabled: can('canViewPings') });
  const reviews = useQuery(reviewCountQuery).data?.open ?? 0;
  const base = experienceBase(user.applicationExperience);
  const also: Partial<Record<CommandId, string[]>> = {
    'go.patients': [`${base}/patients`, '/hospital/active-filter-id'],
    'go.admin': [`${base}/user-report`],
  };
  const hasFullApp = base !== '/ehr';
  const hasLists = hasFullApp && can('canViewPatients');
  const mayExport = hasFullApp && (can('canViewPatients') || can('canViewPings'));
  const page = (shown: boolean, one: Page): Page[] => (shown ? [{ ...one, also: also[one.id] }] : []);
  return [
    ...page(can('canViewPings'), {
      id: 'go.pings',
      to: inboxPath(user),
      label: 'Pings',
      Icon: IconInbox,
      count: counts?.new,
      countWord: 'new',
    }),
    ...page(hasLists, { id: 'go.patients', to: patientsPath(user), label: 'Patients', Icon: IconUserSearch }),
    ...page(hasLists && can('canViewRiskingRisk'), {
      id: 'go.risk',
      to: risingRiskPath(user),
      label: 'Rising risk',
      short: 'Risk',
      Icon: IconTrendingUp,
    }),
    ...page(hasLists && can('canViewLengthOfStay'), {
      id: 'go.stays',
      to: lengthOfStayPath(user),
      label: 'Length of stay',
      short: 'Stay',
      Icon: IconHourglassHigh,
    }),
    ...page(hasFullApp && holdingGroups(team).length > 0, {
      id: 'go.held',
      to: preAdmitPath(user),
      label: 'Pre-admit',
      Icon: IconHandStop,
    }),
    ...page(hasFullApp && can('canViewEventFeed'), {
      id: 'go.events',
      to: eventFeedPath(user),
      label: 'Event feed',
      short: 'Events',
      Icon: IconActivity,
    }),
    ...page(can('canViewSpotlights'), {
      id: 'go.spotlights',
      to: spotlightsPath(user),
      label: 'Spotlights',
      Icon: IconChartHistogram,
    }),
    ...page(rosterGroups(team).length > 0, {
      id: 'go.rosters',
      to: rostersPath(user),
      label: 'Rosters',
      Icon: IconTableImport,
    }),
    ...page(mayExport, { id: 'go.exports', to: exportsPath(user), label: 'Exports', Icon: IconDownload }),
    ...page(can('canManageUsers'), {
      id: 'go.feeds',
      to: feedsPath(user),
      label: 'Feeds',
      Icon: IconPlug,
      count: reviews > 0 ? reviews : null,
      countWord: 'to review',
    }),
    ...page(can('canManageUsers'), { id: 'go.admin', to: adminPath(user), label: 'Admin', Icon: IconUsers }),
  ];
};
