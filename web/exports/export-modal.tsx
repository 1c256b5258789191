import { Box } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../session/session.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { Modal } from '../ui/modal.tsx';
import { ActiveForm } from './active-form.tsx';
import { EncountersForm } from './encounters-form.tsx';

const KINDS = [
  { value: 'encounters', label: 'Encounters' },
  { value: 'active', label: 'Patient active encounters' },
] as const;

/** The export modal: encounters as a job, or the patients with an active encounter as a file at once. */
export const ExportModal = ({ close }: { close: () => void }) => {
  const { can } = useSession();
  const mayEncounters = can('canViewPatients');
  const [kind, setKind] = useState<'encounters' | 'active'>(mayEncounters ? 'encounters' : 'active');
  return (
    <Modal opened onClose={close} size="lg" title="Export">
      {mayEncounters && (
        <Box mb="md">
          <ChoiceBar label="What to export" choices={KINDS} value={kind} choose={setKind} />
        </Box>
      )}
      {kind === 'encounters' ? <EncountersForm close={close} /> : <ActiveForm close={close} />}
    </Modal>
  );
};
