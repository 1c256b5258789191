import { Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { SPOTLIGHT_LABELS } from '#contract/spotlight-labels.ts';
import {
  type BREAKDOWNS,
  type CustomSpotlight,
  SPOTLIGHT_NAME_LIMIT,
  SPOTLIGHT_NAME_TOO_LONG,
  SPOTLIGHTS,
  type SpotlightName,
} from '#contract/spotlights.ts';
import { call } from '../api/call.ts';
import { savedFiltersQuery } from '../filters/saved-filter-queries.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { textOf, tickOf } from '../forms/fields.ts';
import { RemoveButton } from '../forms/remove-button.tsx';
import { useForm } from '../forms/use-form.ts';
import { useSession } from '../session/session.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { PERIODS, type PeriodName } from './spotlight-periods.ts';
import { spotlightListQuery } from './spotlight-queries.ts';

interface Values {
  title: string;
  name: SpotlightName;
  period: PeriodName;
  breakdown: (typeof BREAKDOWNS)[number];
  groupId: string;
  filterId: string;
  isShared: boolean;
}

interface Props {
  /** The spotlight to change, or null for a new one. */
  kept: CustomSpotlight | null;
  /** What the page shows, for a new one. */
  shown: Omit<Values, 'title' | 'isShared' | 'breakdown'>;
  done: (kept: CustomSpotlight | null) => void;
  close: () => void;
}

const valuesOf = ({ title, name, period, breakdown, groupId, filterId, isShared }: CustomSpotlight): Values => ({
  title,
  name,
  period,
  breakdown,
  isShared,
  groupId: groupId ?? '',
  filterId: filterId ?? '',
});

/** A pasted name that is too long is refused rather than cut. */
const problemOf = (title: string): string | undefined => {
  if (title === '') return 'Enter a name.';
  return title.length > SPOTLIGHT_NAME_LIMIT ? SPOTLIGHT_NAME_TOO_LONG : undefined;
};

/** A question that is kept under a name. */
export const KeptDrawer = ({ kept, shown, done, close }: Props) => {
  const { can } = useSession();
  const { data: filters = [] } = useQuery({ ...savedFiltersQuery, enabled: can('canViewPatients') });
  const { data: list } = useQuery(spotlightListQuery);
  const form = useForm<Values, CustomSpotlight>({
    initial: kept ? valuesOf(kept) : { ...shown, title: '', breakdown: 'MONTH', isShared: false },
    check: ({ title }) => ({ title: problemOf(title.trim()) }),
    save: (values) => {
      const body = { ...values, groupId: values.groupId || null, filterId: values.filterId || null };
      return kept
        ? call('PUT /api/spotlights/custom/:id', { params: { id: kept.id }, body })
        : call('POST /api/spotlights/custom', { body });
    },
    saved: done,
  });
  return (
    <EditDrawer title={kept ? 'Edit spotlight' : 'Save spotlight'} form={form} submit="Save" close={close}>
      <TextInput
        label="Name"
        description={
          form.values.isShared ? 'Everyone on your team will see it. No patient names.' : 'No patient names.'
        }
        {...textOf(form, 'title')}
      />
      <ChoiceField
        label="What is counted"
        data={SPOTLIGHTS.map((value) => ({ value, label: SPOTLIGHT_LABELS[value] }))}
        {...textOf(form, 'name')}
      />
      <ChoiceField
        label="Period"
        data={PERIODS.map(([value, label]) => ({ value, label }))}
        {...textOf(form, 'period')}
      />
      <ChoiceField
        label="Shown first"
        data={[
          { value: 'MONTH', label: 'By month' },
          { value: 'FACILITY', label: 'By facility' },
        ]}
        {...textOf(form, 'breakdown')}
      />
      {list && list.groups.length > 1 && (
        <ChoiceField
          label="Group"
          data={[
            { value: '', label: 'All groups' },
            ...list.groups.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...textOf(form, 'groupId')}
        />
      )}
      <ChoiceField
        label="People"
        data={[
          { value: '', label: 'Everyone on the lists' },
          ...filters.map(({ id, name, isShared }) => ({ value: id, label: isShared ? `${name} (shared)` : name })),
        ]}
        {...textOf(form, 'filterId')}
      />
      <Checkbox label="Share with my team" {...tickOf(form, 'isShared')} />
      {kept && (
        <RemoveButton
          what={`the spotlight ${kept.title}`}
          kind="spotlight"
          act={() => call('DELETE /api/spotlights/custom/:id', { params: { id: kept.id } })}
          done={() => done(null)}
        >
          {kept.isShared ? 'It will be deleted for everyone on the team.' : "This can't be undone."}
        </RemoveButton>
      )}
    </EditDrawer>
  );
};
