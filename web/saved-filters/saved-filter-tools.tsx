import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { SearchModule } from '#contract/saved-filter-words.ts';
import type { SearchContext } from '#contract/search.ts';
import { call } from '../api/call.ts';
import { savedFieldsOf } from '../filters/search-parameters.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { useUnfilteredCount } from '../lists/unfiltered-count.ts';
import { Banner, type BannerKind } from '../ui/banner.tsx';
import { counted } from '../ui/use-announced.ts';
import type { FilterDialog } from './filter-dialog.ts';
import { ManageFilters } from './manage-filters.tsx';
import { SaveFilterModal } from './save-filter-modal.tsx';
import classes from './saved-filters.module.css';
import { type Message, useSavedFilterChanges } from './use-saved-filter-changes.ts';

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

const skippedFacets = (count: number): string =>
  count === 1 ? '1 filter no longer exists and was skipped.' : `${count} filters no longer exist and were skipped.`;

/** Notices and dialogs about saved filters: unsaved changes, a new filter, and the list of all. */
export const SavedFilterTools = ({ filters, context, module, total, dialog, openDialog }: Props) => {
  const { saved, modified, missing } = filters;
  const [message, say] = useState<Message | null>(null);
  const unfiltered = useUnfilteredCount(modified && total === 0);
  const changes = useSavedFilterChanges(say);
  const usedId = saved?.id;
  useEffect(() => {
    // The user does not wait for this record, so a failure is ignored.
    if (usedId) call('POST /api/patient-search-params/:id/uses', { params: { id: usedId } }).catch(() => {});
  }, [usedId]);
  const update = (): void => {
    if (!saved) return;
    const fields = savedFieldsOf(filters.criteria, saved.name, { context, visibleTo: filters.visibleTo });
    changes.update.mutate({ saved, fields }, { onSuccess: () => filters.reset() });
  };
  return (
    <>
      {message && <Note {...message} close={() => say(null)} />}
      {missing && <Note kind="INFO" text="This saved filter no longer exists. The list shows its default filter." />}
      {saved && saved.ignoredFacets.length > 0 && <Note kind="INFO" text={skippedFacets(saved.ignoredFacets.length)} />}
      {saved && modified && (
        <div className={classes.modified} role="group" aria-label="Modified filter">
          <span>
            <strong>{saved.name}</strong> • Modified
          </span>
          <Button size="compact-xs" loading={changes.update.isPending} onClick={update}>
            Save
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => openDialog('save')}>
            Save as
          </Button>
          <Button size="compact-xs" variant="default" onClick={filters.reset}>
            Reset
          </Button>
          {total === 0 && unfiltered !== null && (
            <span>
              Nothing matches right now. Without filters there are {counted(unfiltered, 'patient', 'patients')}.
            </span>
          )}
        </div>
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
            if (gone.id !== saved?.id) return;
            if (module === null) filters.openDefault();
            else filters.clear();
          }}
          close={() => openDialog(null)}
        />
      )}
    </>
  );
};
