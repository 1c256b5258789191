import type { User } from '#contract/accounts.ts';
import { experienceBase } from '#contract/experiences.ts';
import type { SearchContext } from '#contract/facets.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { queryClient } from '../api/query-client.ts';
import { searchPreferencesQuery } from '../filters/saved-filter-queries.ts';
import { notFound, type ParsedLocation, redirect } from '../router/routes.ts';
import { eventFeedPath, inboxPath, patientPath } from '../session/paths.ts';
import { meQuery, selectedTeam } from '../session/queries.ts';
import { switchTeam } from '../session/switch-team.ts';
import { noteNotification } from '../usage/track.ts';

interface NotificationLink {
  params: { uuid: string };
  location: ParsedLocation;
}

/** The lists besides the inbox that a notification may be about. */
const LISTS: Partial<Record<SearchContext, (user: User) => string>> = {
  ALL: ({ applicationExperience }) => `${experienceBase(applicationExperience)}/patients/my-patients`,
  EVENTS: eventFeedPath,
};

/** Returns the default filter of notifications, for a notification whose filter was deleted. */
const defaultFilter = async (): Promise<string | null> => {
  const preferences = await queryClient.fetchQuery(searchPreferencesQuery).catch(() => []);
  return preferences.find(({ moduleName }) => moduleName === 'NOTIFICATIONS')?.filterId ?? null;
};

/** Follows the link of a notification: redirects to the list with its filter, or to the patient of a correction or a document, in its team. Only its user has it. */
export const openNotification = async ({ params: { uuid }, location }: NotificationLink): Promise<never> => {
  const me = await queryClient.ensureQueryData(meQuery);
  if (!me) throw notFound();
  const target = await call('GET /api/notifications/:uuid', { params: { uuid } }).catch((error: unknown) => {
    throw error instanceof ApiError && error.status < 500 ? notFound() : error;
  });
  if (!(target.teamId in me.user.teams)) throw notFound();
  if (target.teamId !== selectedTeam(me)?.id) await switchTeam(me, target.teamId);
  const { notificationModality: modality } = location.search as { notificationModality?: unknown };
  noteNotification(uuid, typeof modality === 'string' ? modality : null);
  const base = experienceBase(me.user.applicationExperience);
  const page = target.opensDocuments && base !== '/ehr' ? '/case-management' : '';
  if (target.patientId) throw redirect({ to: `${patientPath(me.user, target.patientId)}${page}` });
  const list = (base !== '/ehr' && LISTS[target.searchContext]?.(me.user)) || inboxPath(me.user);
  const filterId = target.filterId ?? (await defaultFilter());
  throw redirect({ to: filterId ? `${list}/active-filter-id/${filterId}` : list });
};
