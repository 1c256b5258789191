import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { SearchModule } from '#contract/saved-filter-words.ts';
import type { SearchContext } from '#contract/search.ts';
import { call } from '../api/call.ts';
import { savedFieldsOf } from '../filters/search-parameters.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { useUnfiltered } from '../lists/unfiltered.ts';
import { Banner, type BannerKind } from '../ui/banner.tsx';
import { counted } from '../ui/use-announced.ts';
import type { Asked } from './filter-bar.tsx';
import { ManageFilters } from './manage-filters.tsx';
import { SaveFilterModal } from './save-filter-modal.tsx';
import { type Message, useSavedFilterChanges } from './saved-filter-changes.ts';
import classes from './saved-filters.module.css';

interface Props {
  filters: ListFilters;
  context: SearchContext;
  /** Where a filter can be made the default; null where none can. */
  module: SearchModule | null;
  total: number | null;
  asked: Asked;
  ask: (asked: Asked) => void;
}

const Note = ({ kind, text, close }: { kind: BannerKind; text: string; close?: () => void }) => (
  <div className={classes.note}>
    <Banner kind={kind} role={kind === 'WARNING' ? 'alert' : 'status'} close={close}>
      {text}
    </Banner>
  </div>
);

const ignored = (count: number): string =>
  count === 1 ? '1 filter no longer exists and was ignored.' : `${count} filters no longer exist and were ignored.`;

/** What is done with saved filters: the changed one is saved or put back, new ones are named, all are managed. */
export const SavedFilterTools = ({ filters, context, module, total, asked, ask }: Props) => {
  const { saved, modified, missing } = filters;
  const [message, say] = useState<Message | null>(null);
  const unfiltered = useUnfiltered(modified && total === 0);
  const changes = useSavedFilterChanges(say);
  const used = saved?.id;
  useEffect(() => {
    // Whether it is noted is nothing that somebody waits for.
    if (used) call('POST /api/patient-search-params/:id/uses', { params: { id: used } }).catch(() => {});
  }, [used]);
  const update = (): void => {
    if (!saved) return;
    const fields = savedFieldsOf(filters.criteria, saved.name, { context, visibleTo: filters.visibleTo });
    changes.update.mutate({ saved, fields }, { onSuccess: () => filters.reset() });
  };
  return (
    <>
      {message && <Note {...message} close={() => say(null)} />}
      {missing && <Note kind="INFO" text="This saved filter no longer exists; the list shows its usual filter." />}
      {saved && saved.ignoredFacets.length > 0 && <Note kind="INFO" text={ignored(saved.ignoredFacets.length)} />}
      {saved && modified && (
        <div className={classes.modified} role="group" aria-label="Changed filter">
          <span>
            <strong>{saved.name}</strong> • Modified
          </span>
          <Button size="compact-xs" loading={changes.update.isPending} onClick={update}>
            Save
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => ask('save')}>
            Save as
          </Button>
          <Button size="compact-xs" variant="default" onClick={filters.reset}>
            Reset
          </Button>
          {total === 0 && unfiltered !== null && (
            <span>Nothing matches now; without filters there are {counted(unfiltered, 'patient', 'patients')}.</span>
          )}
        </div>
      )}
      {asked === 'save' && (
        <SaveFilterModal
          filters={filters}
          context={context}
          module={module}
          total={total}
          changes={changes}
          saved={(created) => {
            ask(null);
            filters.select(created);
          }}
          close={() => ask(null)}
        />
      )}
      {asked === 'manage' && (
        <ManageFilters
          filters={filters}
          module={module}
          changes={changes}
          deleted={(gone) => {
            if (gone.id !== saved?.id) return;
            if (module === null) filters.openUsual();
            else filters.clear();
          }}
          close={() => ask(null)}
        />
      )}
    </>
  );
};
