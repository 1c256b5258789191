import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { SearchModule } from '#contract/saved-filter-words.ts';
import type { SavedFilter } from '#contract/saved-filters.ts';
import type { SearchContext } from '#contract/search.ts';
import { call } from '../api/call.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { savedFieldsOf } from '../filters/search-parameters.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { useUnfilteredCount } from '../lists/unfiltered-count.ts';
import { Banner, type BannerKind } from '../ui/banner.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import type { FilterDialog } from './filter-dialog.ts';
import { FILTER_MENU_ID } from './filter-menu.tsx';
import { ManageFilters } from './manage-filters.tsx';
import { SaveFilterModal } from './save-filter-modal.tsx';
import classes from './saved-filters.module.css';
import { type Message, useSavedFilterChanges } from './use-saved-filter-changes.ts';

const loadNotifications = () =>
  loadChunk('notifications', () => import('../notifications/edit-notifications.tsx')).then(
    (file) => file.EditNotifications,
  );

interface Props {
  filters: ListFilters;
  context: SearchContext;
  /** Where a filter can be the default; null where none can. */
  module: SearchModule | null;
  /** Rows of the filtered list; null while unknown. */
  total: number | null;
  dialog: FilterDialog;
  openDialog: (dialog: FilterDialog) => void;
}

const Note = ({ kind, text, close }: { kind: BannerKind; text: string; close?: () => void }) => (
  <div className={classes.note}>
    <Banner kind={kind} role={kind === 'WARNING' ? 'alert' : 'status'} close={close}>
      {text}
    </Banner>
  </div>
);

/** After the dialog has closed and given the focus back to a list that is being replaced. */
const focusMenu = (): void => void setTimeout(() => document.getElementById(FILTER_MENU_ID)?.focus());

const skippedFacets = (count: number): string =>
  count === 1 ? '1 filter no longer exists and was skipped.' : `${count} filters no longer exist and were skipped.`;

/** Of a colleague's filter: the reader may lack a permission that the colleague has. */
const skippedShared = (count: number): string =>
  `${count === 1 ? '1 filter was' : `${count} filters were`} skipped: your role doesn't allow ${count === 1 ? 'it' : 'them'}, or ${count === 1 ? 'it no longer exists' : 'they no longer exist'}.`;

/** Says how many of the filter's values were left out for this reader; nothing if none were. */
const SkippedNote = ({ saved }: { saved: SavedFilter | null }) => {
  const count = saved?.ignoredFacets.length ?? 0;
  if (!saved || count === 0) return null;
  return <Note kind="INFO" text={(saved.owner.isYou ? skippedFacets : skippedShared)(count)} />;
};

/** The filter that the address names is gone. What was changed of it is in the address too, and still applies. */
const MissingFilter = ({ isApplied, saveAs }: { isApplied: boolean; saveAs: () => void }) =>
  isApplied ? (
    <div className={classes.modified} role="status">
      <span>This saved filter was deleted or is no longer shared. Your filters still apply.</span>
      <Button size="compact-xs" variant="default" onClick={saveAs}>
        Save as
      </Button>
    </div>
  ) : (
    <Note kind="INFO" text="This saved filter no longer exists. The list shows its default filter." />
  );

interface ModifiedProps {
  name: string;
  saving: boolean;
  /** Whether the changed filter finds nothing. */
  isEmpty: boolean;
  /** Null for a filter that the user may not change. */
  update: (() => void) | null;
  saveAs: () => void;
  reset: () => void;
}

/** What can be done with the unsaved changes of a filter. */
const ModifiedFilter = ({ name, saving, isEmpty, update, saveAs, reset }: ModifiedProps) => {
  const unfiltered = useUnfilteredCount(isEmpty);
  return (
    <div className={classes.modified} role="group" aria-label="Modified filter">
      <span>
        <strong>{name}</strong> • Modified
      </span>
      {update && (
        <Button size="compact-xs" loading={saving} onClick={update}>
          Save
        </Button>
      )}
      <Button size="compact-xs" variant="default" onClick={saveAs}>
        Save as
      </Button>
      <Button size="compact-xs" variant="default" onClick={reset}>
        Reset
      </Button>
      {isEmpty && unfiltered !== null && (
        <span>Nothing matches right now. Without filters there are {counted(unfiltered, 'patient', 'patients')}.</span>
      )}
    </div>
  );
};

/** Records that the list was opened with the filter. */
const useRecordedUse = (filterId: string | undefined): void =>
  useEffect(() => {
    // The user does not wait for this record, so a failure is ignored.
    if (filterId) call('POST /api/patient-search-params/:id/uses', { params: { id: filterId } }).catch(() => {});
  }, [filterId]);

/** After the filter in use was deleted. */
const leaveFilter = (filters: ListFilters, module: SearchModule | null): void => {
  if (module === null) filters.openDefault();
  else filters.clear();
};

/** Notices and dialogs about saved filters: unsaved changes, a new filter, and the list of all. */
export const SavedFilterTools = ({ filters, context, module, total, dialog, openDialog }: Props) => {
  const { saved, modified, missing } = filters;
  const [message, say] = useState<Message | null>(null);
  const changes = useSavedFilterChanges(say);
  const [ofManaged, setOfManaged] = useState<SavedFilter | null>(null);
  const EditNotifications = useLoaded(loadNotifications, dialog === 'notify', false);
  const closeNotifications = (): void => {
    openDialog(ofManaged ? 'manage' : null);
    setOfManaged(null);
  };
  useRecordedUse(saved?.id);
  const update = (): void => {
    if (!saved) return;
    const fields = savedFieldsOf(filters.criteria, saved.name, { ...filters.kind, visibleTo: filters.visibleTo });
    changes.update.mutate({ saved, fields }, { onSuccess: () => filters.reset() });
  };
  return (
    <>
      {message && (
        <div className={classes.over}>
          <Note {...message} close={() => say(null)} />
        </div>
      )}
      {missing && <MissingFilter isApplied={filters.hasOwnCriteria} saveAs={() => openDialog('save')} />}
      <SkippedNote saved={saved} />
      {saved && modified && (
        <ModifiedFilter
          name={saved.name}
          saving={changes.update.isPending}
          isEmpty={total === 0}
          update={saved.mayChange ? update : null}
          saveAs={() => openDialog('save')}
          reset={filters.reset}
        />
      )}
      {dialog === 'save' && (
        <SaveFilterModal
          filters={filters}
          context={context}
          module={module}
          total={total}
          changes={changes}
          saved={(created) => {
            openDialog(null);
            filters.select(created);
            focusMenu();
          }}
          close={() => openDialog(null)}
        />
      )}
      {dialog === 'manage' && (
        <ManageFilters
          filters={filters}
          module={module}
          changes={changes}
          deleted={(gone) => {
            if (gone.id === saved?.id) leaveFilter(filters, module);
          }}
          editNotifications={(one) => {
            setOfManaged(one);
            openDialog('notify');
          }}
          close={() => openDialog(null)}
        />
      )}
      {dialog === 'notify' && EditNotifications && (
        <EditNotifications
          filterId={ofManaged?.id ?? saved?.id ?? null}
          ofFeed={context === 'EVENTS'}
          saveFilter={() => openDialog('save')}
          saved={(text) => {
            say({ kind: 'SUCCESS', text });
            closeNotifications();
          }}
          close={closeNotifications}
        />
      )}
    </>
  );
};
