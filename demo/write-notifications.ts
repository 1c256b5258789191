import type { NotificationPreferenceFields } from '#contract/notifications.ts';
import { savedFilterFields } from '#contract/saved-filters.ts';
import type { FacetPreferences } from '#contract/search.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { savePreference } from '#server/work/notifications/preferences.ts';
import { create, share } from '#server/work/saved-filters/saved-filters.ts';
import type { DemoDirectory } from './directory.ts';
import { type Seat, seated } from './past-acts.ts';

interface Filter {
  name: string;
  map: Record<string, string[]>;
  preference: Pick<NotificationPreferenceFields, 'timing' | 'hour'>;
}

const ROSA: Seat = { user: 'rosa.lindgren', team: 'aco-coordination' };
const FILTERS: readonly Filter[] = [
  { name: 'Discharges', map: { currentStatus: ['DISCHARGE'] }, preference: { timing: 'AT_ONCE', hour: 8 } },
  {
    name: 'ED arrivals',
    map: { currentStatus: ['PRESENTED'], setting: ['EMERGENCY'] },
    preference: { timing: 'DAILY', hour: 7 },
  },
];
/** A filter that the administrator shares with the team. */
const DESMOND: Seat = { user: 'desmond.achterberg', team: 'aco-coordination' };
const SHARED = { name: 'Open ED and observation stays', map: { setting: ['EMERGENCY', 'OBSERVATION'] } };
/** A demo keeps letters in its mailbox. */
const CHANNELS = { smtp: null, twilio: null, demo: true };

/** Saves a filter that a team shares, and filters of the care coordinator's inbox, which notify her by email of what the demo's hospitals send from now on. */
export async function writeNotifications(app: Database, directory: DemoDirectory, now: Date): Promise<void> {
  const sharing = { db: app, actor: await seated(app, directory, DESMOND), now, requestId: 'demo' };
  const shared = await create(sharing, fieldsOf(SHARED));
  await share(sharing, shared.id, true);
  const actor = await seated(app, directory, ROSA);
  const context = { db: app, actor, now, requestId: 'demo' };
  for (const { preference, ...filter } of FILTERS) {
    const { id } = await create(context, fieldsOf(filter));
    await savePreference(context, id, { email: true, text: false, muted: false, ...preference }, CHANNELS);
  }
}

function fieldsOf({ name, map }: Pick<Filter, 'name' | 'map'>) {
  const preferenceMap = Object.fromEntries(
    Object.entries(map).map(([facet, values]) => [facet, values.map((value) => ({ field: facet, value }))]),
  ) as FacetPreferences['preferenceMap'];
  return savedFilterFields.parse({ name, searchContext: 'PINGS', userDefinedFacetPreferences: { preferenceMap } });
}
