import { useQueryClient } from '@tanstack/react-query';
import type { DirectoryGroup } from '#contract/admin.ts';
import { counted } from '#contract/counted.ts';
import type { Feed } from '#contract/feeds.ts';
import { isSameOrganization, ownedName } from '../admin/organization.ts';
import { call } from '../api/call.ts';
import { useForm } from '../forms/use-form.ts';
import { feedsQuery } from './feed-queries.ts';
import { bodyOf, checkSettings, errorAt, type SettingsValues } from './settings-form.ts';

/** Adds a feed. Returns the message about it. */
const add = async (kind: EditedFeed['kind'], values: SettingsValues): Promise<string> => {
  const { messages, isWaiting } = await call('POST /api/admin/feeds', { body: { kind, ...bodyOf(values) } });
  const token = kind === 'FHIR' ? ' Issue a token for its system under Settings.' : '';
  const added = `The feed ${values.name.trim()} was added.${token}`;
  if (isWaiting) return `${added} An operator has to approve its sender before its messages are processed.`;
  if (messages === 0) return added;
  return `${added} ${counted(messages, 'message')} from its sender ${messages === 1 ? 'is' : 'are'} in quarantine. Replay ${messages === 1 ? 'it' : 'them'}.`;
};
const save = async (id: string, values: SettingsValues, version = values.version): Promise<string> => {
  const body = { ...bodyOf(values), version };
  const { isWaiting } = await call('PUT /api/admin/feeds/:id/settings', { params: { id }, body });
  const saved = `The settings for ${values.name.trim()} were saved.`;
  return isWaiting
    ? `${saved} The sender and facilities apply once an operator approves them.`
    : `${saved} They apply to new messages. Replay quarantined ones to apply them there too.`;
};

/** A feed whose settings are edited, or a new one. */
export interface EditedFeed {
  /** Null for a new one. */
  feed: Feed | null;
  kind: 'MLLP' | 'FHIR';
  initial: SettingsValues;
  /** The facilities that the administrator sees. */
  groups: readonly DirectoryGroup[];
  saved: (message: string) => void;
  takeTheirs?: () => Promise<void>;
}

/** The form of a feed's settings, with the facilities to choose from. */
export const useSettingsForm = ({ feed, kind, initial, groups, saved, takeTheirs }: EditedFeed) => {
  const client = useQueryClient();
  /** Shows what was done and refreshes the feeds. */
  const done = (message: string): void => {
    void client.invalidateQueries({ queryKey: feedsQuery.queryKey });
    saved(message);
  };
  const form = useForm<SettingsValues, string>({
    initial,
    check: checkSettings,
    version: feed ? initial.version : undefined,
    save: (values, version) => (feed ? save(feed.id, values, version) : add(kind, values)),
    takeTheirs,
    saved: done,
    keys: { NAME_TAKEN: 'name' },
  });
  const { values, change } = form;
  const selected = groups.find(({ id }) => values.facilities.some(({ groupId }) => groupId === id));
  return {
    ...form,
    errorOf: (path: string): string | undefined => errorAt(form.errors, path),
    done,
    /** All facilities of one organization: that of the first one selected. */
    facilities: groups
      .filter((group) => !selected || isSameOrganization(group, selected))
      .map((group) => ({ id: group.id, label: ownedName(group) })),
    /** Choosing the first facility of a new feed also sets the time zone, which can be changed afterwards. */
    setFacilities: (rows: SettingsValues['facilities']): void => {
      const isNewFirst = !feed && rows[0]?.groupId !== values.facilities[0]?.groupId;
      const first = isNewFirst ? groups.find(({ id }) => id === rows[0]?.groupId) : undefined;
      change({ facilities: rows, ...(first && { timeZone: first.timeZone }) });
    },
  };
};
