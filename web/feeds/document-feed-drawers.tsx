import { Drawer, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DirectoryGroup } from '#contract/admin.ts';
import { FEED_TEXTS } from '#contract/admin-fields.ts';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { Feed } from '#contract/feeds.ts';
import { directoryQuery } from '../admin/admin-queries.ts';
import { ownedName } from '../admin/organization.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf } from '../forms/fields.ts';
import { useForm } from '../forms/use-form.ts';
import { WaitingDrawer } from '../forms/waiting-drawer.tsx';
import { zoneChoices } from '../forms/zone-choices.ts';
import { useBack } from '../router/use-back.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { DocumentTokens } from './document-tokens.tsx';
import { FeedActions } from './feed-actions.tsx';
import { feedsQuery } from './feed-queries.ts';

interface Handlers {
  saved: (message: string) => void;
  close: () => void;
}

/** A feed of documents: its tokens, and what stops it. */
export const DocumentFeedDrawer = ({ feed, saved, close }: Handlers & { feed: Feed }) => {
  useReturnFocus();
  useBack(close);
  return (
    <Drawer opened onClose={close} title={feed.name} position="right" closeButtonProps={{ 'aria-label': 'Close' }}>
      <DocumentTokens feed={feed} />
      <div style={{ marginTop: 24 }}>
        <FeedActions feed={feed} done={saved} />
      </div>
    </Drawer>
  );
};

interface NewFeedValues {
  name: string;
  groupId: string;
  timeZone: string;
}

const check = ({ name, groupId }: NewFeedValues): Record<string, string> => ({
  ...(name.trim() === '' && { name: FEED_TEXTS.name.required }),
  ...(groupId === '' && { groupId: 'Choose a facility.' }),
});

const NewFeed = ({ facilities, saved, close }: Handlers & { facilities: readonly DirectoryGroup[] }) => {
  const client = useQueryClient();
  const [only] = facilities;
  const form = useForm<NewFeedValues, string>({
    initial: {
      name: '',
      groupId: facilities.length === 1 ? (only?.id ?? '') : '',
      timeZone: DEFAULT_FEED_SETTINGS.timeZone,
    },
    check,
    save: async (body) => {
      await call('POST /api/admin/document-feeds', { body });
      return `The feed ${body.name.trim()} was added. Issue a token for its system under Tokens.`;
    },
    saved: (message) => {
      void client.invalidateQueries({ queryKey: feedsQuery.queryKey });
      saved(message);
    },
    keys: { NAME_TAKEN: 'name' },
  });
  return (
    <EditDrawer title="Add document feed" form={form} submit="Save" close={close}>
      <TextInput label="Name" maxLength={FEED_TEXTS.name.max} {...textOf(form, 'name')} />
      <ChoiceField
        label="Facility"
        description="All documents of this feed are this facility's."
        {...textOf(form, 'groupId')}
        data={[
          { value: '', label: 'Choose' },
          ...facilities.map((group) => ({ value: group.id, label: ownedName(group) })),
        ]}
      />
      <ChoiceField
        label="Time zone"
        description="Used when a document's times have no time zone."
        {...textOf(form, 'timeZone')}
        data={zoneChoices(form.values.timeZone)}
      />
    </EditDrawer>
  );
};

/** The form of a new feed of documents. */
export const AddDocumentFeedDrawer = (handlers: Handlers) => {
  const groups = useQuery(directoryQuery);
  if (!groups.data)
    return <WaitingDrawer title="Add document feed" needs={[[groups, 'groups']]} close={handlers.close} />;
  return <NewFeed facilities={groups.data.groups.filter(({ type }) => type !== 'PROGRAM')} {...handlers} />;
};
