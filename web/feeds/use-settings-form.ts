import { useQueryClient } from '@tanstack/react-query';
import type { Feed } from '#contract/feeds.ts';
import type { AdminGroup } from '../admin/admin-types.ts';
import { isOfSame, ownedName } from '../admin/organization.ts';
import { call } from '../api/call.ts';
import { useForm } from '../forms/use-form.ts';
import { messageWords } from './feed-acts.tsx';
import { feedsQuery } from './feed-queries.ts';
import { answerOf, checkSettings, errorAt, type SettingsValues } from './settings-form.ts';

/** Answers what the page says of it. */
const add = async (values: SettingsValues): Promise<string> => {
  const { messages } = await call('POST /api/admin/feeds', { body: answerOf(values) });
  const waiting =
    messages === 0 ? '' : ` ${messageWords(messages)} of its sender waited: replay ${messages === 1 ? 'it' : 'them'}.`;
  return `The feed ${values.name.trim()} was added.${waiting}`;
};
const save = async (id: string, values: SettingsValues, version = values.version): Promise<string> => {
  await call('PUT /api/admin/feeds/:id/settings', { params: { id }, body: { ...answerOf(values), version } });
  return `The settings of ${values.name.trim()} were saved. They hold for messages from now on; replay quarantined ones.`;
};

/** A feed whose settings are edited, or a new one. */
export interface EditedFeed {
  /** Null for a new one. */
  feed: Feed | null;
  initial: SettingsValues;
  /** The facilities in sight. */
  groups: readonly AdminGroup[];
  saved: (message: string) => void;
  takeTheirs?: () => Promise<void>;
}

/** The form of a feed's settings, with the facilities that it may name. */
export const useSettingsForm = ({ feed, initial, groups, saved, takeTheirs }: EditedFeed) => {
  const client = useQueryClient();
  /** Says what was done, and reads the feeds anew. */
  const done = (message: string): void => {
    void client.invalidateQueries({ queryKey: feedsQuery.queryKey });
    saved(message);
  };
  const form = useForm<SettingsValues, string>({
    initial,
    check: checkSettings,
    version: feed ? initial.version : undefined,
    save: (values, version) => (feed ? save(feed.id, values, version) : add(values)),
    takeTheirs,
    saved: done,
    keys: { NAME_TAKEN: 'name' },
  });
  const { values, change } = form;
  const chosen = groups.find(({ id }) => values.facilities.some(({ groupId }) => groupId === id));
  return {
    ...form,
    errorOf: (path: string): string | undefined => errorAt(form.errors, path),
    done,
    /** All of one organisation: that of the first that is chosen. */
    facilities: groups
      .filter((group) => !chosen || isOfSame(group, chosen))
      .map((group) => ({ id: group.id, label: ownedName(group) })),
    /** A new feed's times are those of its first facility, unless another zone is chosen after it. */
    setFacilities: (rows: SettingsValues['facilities']): void => {
      const moved = !feed && rows[0]?.groupId !== values.facilities[0]?.groupId;
      const first = moved ? groups.find(({ id }) => id === rows[0]?.groupId) : undefined;
      change({ facilities: rows, ...(first && { timeZone: first.timeZone }) });
    },
  };
};
