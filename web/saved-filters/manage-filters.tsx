import { Button, Group, Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NotificationPreference } from '#contract/notifications.ts';
import type { SearchModule } from '#contract/saved-filter-words.ts';
import type { SavedFilter } from '#contract/saved-filters.ts';
import { call } from '../api/call.ts';
import { searchOf } from '../filters/filter-search.ts';
import { savedFiltersQuery, searchPreferencesQuery } from '../filters/saved-filter-queries.ts';
import { criteriaOfSaved } from '../filters/search-parameters.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { Confirm } from '../forms/confirm.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { notificationPreferencesQuery } from '../notifications/notification-queries.ts';
import { useRouter } from '../router/hooks.ts';
import { type Session, useSession } from '../session/session.ts';
import { announce } from '../ui/announcer.tsx';
import { Modal } from '../ui/modal.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SavedFilterItem } from './saved-filter-item.tsx';
import { lossSummary } from './saved-filter-summary.ts';
import classes from './saved-filters.module.css';
import type { SavedFilterChanges } from './use-saved-filter-changes.ts';

/** When each filter was last used and how many rows it finds now. Loaded each time the dialog opens. */
const usesQuery = queryOptions({
  queryKey: ['saved-filter-uses'],
  queryFn: () => call('GET /api/patient-search-params/uses'),
  staleTime: 0,
  gcTime: 0,
  retry: false,
});

/** Returns a function that makes the link to a list with the criteria of a saved filter, for someone who does not have the filter. */
const useLinkTo = ({ kind, base }: ListFilters): ((saved: SavedFilter) => string) => {
  const router = useRouter();
  return (saved) => {
    const search = { ...searchOf(criteriaOfSaved(saved), kind.defaults), view: 'ALL_PATIENTS' as const };
    return location.origin + router.locate({ to: base, search }).href;
  };
};

interface Props {
  filters: ListFilters;
  module: SearchModule | null;
  changes: SavedFilterChanges;
  deleted: (saved: SavedFilter) => void;
  /** Opens the notifications of a filter. */
  editNotifications: (saved: SavedFilter) => void;
  close: () => void;
}

/** Mutes or unmutes all filters at once. Shown while at least one notifies, or would. */
const MuteAll = ({ preferences }: { preferences: readonly NotificationPreference[] }) => {
  const client = useQueryClient();
  const set = useMutation({
    mutationFn: (muted: boolean) => call('PUT /api/notification-filter-preferences', { body: { muted } }),
    onSuccess: (all, muted) => {
      client.setQueryData(notificationPreferencesQuery.queryKey, all);
      announce(muted ? 'All notifications muted.' : 'All notifications unmuted.');
    },
    onError: () =>
      showToast({ type: 'warning', message: "Couldn't change your notifications. Nothing was changed. Try again." }),
  });
  const reaching = preferences.filter(({ email, text }) => email || text);
  if (reaching.length === 0) return null;
  const isMuted = reaching.every(({ muted }) => muted);
  return (
    <Button variant="default" loading={set.isPending} onClick={() => set.mutate(!isMuted)}>
      {isMuted ? 'Unmute all notifications' : 'Mute all notifications'}
    </Button>
  );
};

/** A filter of the event feed reports to those who may open the feed. */
const mayBeNotified = ({ searchContext }: SavedFilter, can: Session['can']): boolean =>
  can(searchContext === 'EVENTS' ? 'canViewEventFeed' : 'canViewPings');

/** The user's saved filters: their order and names, the default of this list, and deletion. */
export const ManageFilters = ({ filters, module, changes, deleted, editNotifications, close }: Props) => {
  const { can } = useSession();
  const list = useQuery(savedFiltersQuery);
  const { data: preferences } = useQuery({ ...searchPreferencesQuery, retry: false });
  const { data: uses } = useQuery(usesQuery);
  const { data: notifications = [] } = useQuery({ ...notificationPreferencesQuery, retry: false });
  const [deleting, setDeleting] = useState<SavedFilter | null>(null);
  const usedAs = ({ id }: SavedFilter) => uses?.find(({ filterId }) => filterId === id);
  const linkTo = useLinkTo(filters);
  const defaultId = preferences?.find(({ moduleName }) => moduleName === module)?.filterId;
  if (deleting)
    return (
      <Confirm
        title="Delete filter"
        word="Delete"
        act={() => changes.remove(deleting)}
        done={() => {
          deleted(deleting);
          setDeleting(null);
        }}
        close={() => setDeleting(null)}
      >
        {`“${deleting.name}”${defaultId === deleting.id ? ', your default view for this list,' : ''} will be deleted.${lossSummary(deleting, usedAs(deleting))} You can't undo this.`}
      </Confirm>
    );
  return (
    <Modal opened onClose={close} title="Manage filters" size="lg">
      <Loaded query={list} what="saved filters">
        {(all) =>
          all.length === 0 ? (
            <Text c="dimmed">No saved filters yet.</Text>
          ) : (
            <ol className={classes.list}>
              {all.map((saved) => (
                <SavedFilterItem
                  key={saved.id}
                  saved={saved}
                  count={all.filter(({ owner }) => owner.isYou).length}
                  isDefault={saved.id === defaultId}
                  use={usedAs(saved)}
                  module={module}
                  link={linkTo(saved)}
                  changes={changes}
                  preference={notifications.find(({ filterId }) => filterId === saved.id)}
                  editNotifications={mayBeNotified(saved, can) ? () => editNotifications(saved) : null}
                  askDelete={() => setDeleting(saved)}
                />
              ))}
            </ol>
          )
        }
      </Loaded>
      <Group mt="lg">
        <Button variant="default" onClick={close}>
          Done
        </Button>
        <MuteAll preferences={notifications} />
      </Group>
    </Modal>
  );
};
