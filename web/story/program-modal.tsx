import { Anchor, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { counted } from '#contract/counted.ts';
import { conditionsInWords } from '#contract/hl7-program-words.ts';
import type { ProgramEnrollment, ProgramOfMessages } from '#contract/hl7-programs.ts';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type Fact, Facts } from '../ui/facts.tsx';
import { formatDate } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import { programsQuery } from './story-queries.ts';

/** A program that the patient is in, with its last day; its name opens what it is and why. */
export const ProgramLine = ({ program, open }: { program: ProgramOfMessages; open: (id: string) => void }) => (
  <>
    <Anchor component="button" type="button" size="sm" onClick={() => open(program.id)}>
      {program.hl7BasedProgramName}
    </Anchor>
    {program.validTo && ` · until ${formatDate(program.validTo)}`}
  </>
);

const Enrollment = ({ enrollment }: { enrollment: ProgramEnrollment }) => {
  const { admittingFacilityName, payer, validFrom, validTo, drg, definition, isPart2 } = enrollment;
  return (
    <>
      <Facts
        missing="Not shown"
        facts={[
          ['Discharged from', admittingFacilityName],
          ['Discharged on', formatDate(validFrom)],
          ['Last day', validTo && formatDate(validTo)],
          ['Payer', payer],
          ...(drg === null ? [] : [['DRG', drg] satisfies Fact]),
        ]}
      />
      {isPart2 && (
        <Text size="sm" mt="xs">
          {PART2_NOTICE}
        </Text>
      )}
      <Text fw={600} size="sm" mt="md">
        Who is enrolled
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        A discharge that meets all of these enrolls a patient for {counted(definition.validityPeriod, 'day')}. Another
        one starts the period again; a death ends it.
      </Text>
      <Facts facts={conditionsInWords(definition).map(([label, value]): Fact => [label, value])} />
    </>
  );
};

/** What an HL7-based program is, and which discharge put the patient in it. */
export const ProgramModal = ({
  patientId,
  programId,
  close,
}: {
  patientId: string;
  programId: string;
  close: () => void;
}) => {
  const { data, error } = useQuery(programsQuery(patientId));
  const enrollment = data?.find(({ id }) => id === programId);
  return (
    <Dialog title={enrollment?.hl7BasedProgramName ?? 'HL7 program'} close={close}>
      {error && <Failed what="Couldn't load this program." error={error} />}
      {!error && !data && <Text role="status">Loading…</Text>}
      {data && !enrollment && <Text>The patient is no longer in this program.</Text>}
      {enrollment && <Enrollment enrollment={enrollment} />}
      <Group mt="md">
        <Button variant="default" onClick={close} data-autofocus>
          Close
        </Button>
      </Group>
    </Dialog>
  );
};
