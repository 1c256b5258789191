import { Checkbox, NativeSelect } from '@mantine/core';
import { RELATIONSHIP_LABELS, RELATIONSHIPS, type Relationship } from '#contract/relationships.ts';

/** What the uploader has stated so far. */
export interface Attestation {
  relationship: Relationship | null;
  isConfirmed: boolean;
}
export const NOTHING_ATTESTED: Attestation = { relationship: null, isConfirmed: false };

const WORDS: Readonly<Record<Relationship, string>> = {
  TREATMENT: 'treats',
  COVERAGE: 'covers',
  CARE_COORDINATION: 'coordinates care for',
};

/** Asks why the group may see these people's visits. `showMissing`: mark what is not filled in yet. */
export const AttestationFields = ({
  groupName,
  value,
  change,
  showMissing,
}: {
  groupName: string;
  value: Attestation;
  change: (value: Attestation) => void;
  showMissing: boolean;
}) => (
  <>
    <NativeSelect
      label="Relationship with the people in this file"
      description="It opens their visits at other facilities to your team, from 12 months before they join the roster. It is recorded with your name."
      required
      value={value.relationship ?? ''}
      onChange={({ currentTarget }) =>
        change({ relationship: (currentTarget.value || null) as Relationship | null, isConfirmed: false })
      }
      data={[
        { value: '', label: 'Choose a relationship' },
        ...RELATIONSHIPS.map((each) => ({ value: each, label: RELATIONSHIP_LABELS[each] })),
      ]}
      error={showMissing && value.relationship === null ? 'Choose a relationship.' : null}
    />
    <Checkbox
      label={`I confirm that ${groupName} ${value.relationship ? WORDS[value.relationship] : 'has the chosen relationship with'} everyone in this file, and that I may upload their information.`}
      checked={value.isConfirmed}
      onChange={({ currentTarget }) => change({ ...value, isConfirmed: currentTarget.checked })}
      error={showMissing && !value.isConfirmed ? 'Confirm this to upload the file.' : null}
    />
  </>
);
