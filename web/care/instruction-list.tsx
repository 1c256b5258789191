import { Anchor, Button, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CareInstruction } from '#contract/care.ts';
import { call, pathOf } from '../api/call.ts';
import { reasonOf } from '../api/error.ts';
import { useSession } from '../session/session.ts';
import { formatDate } from '../ui/format/date.ts';
import { IconDownload } from '../ui/icons.ts';
import classes from './care.module.css';
import { instructionsQuery } from './care-queries.ts';

interface Props {
  patientId: string;
  title: string;
  /** What the list is for, in lower case: 'admit' or 'discharge'. */
  word: string;
  entries: CareInstruction[];
  /** Absent for users who may not. */
  add: (() => void) | null;
  edit: (entry: CareInstruction) => void;
}

/** The form of an instruction, to save; nothing where there is none. */
export const FormLink = ({ patientId, entry }: { patientId: string; entry: CareInstruction }) => {
  const { team } = useSession();
  if (!entry.form) return null;
  const params = { id: patientId, instructionId: entry.id };
  return (
    <Anchor
      href={pathOf('GET /api/patients/:id/instructions/:instructionId/form', { params, query: { teamId: team.id } })}
      download
      data-target
      underline="always"
    >
      <IconDownload size={16} stroke={1.75} aria-hidden /> {entry.form.fileName}
    </Anchor>
  );
};

/** Instructions of one kind: the team's own first, which can be changed and moved, then those of others. */
export const InstructionList = ({ patientId, title, word, entries, add, edit }: Props) => {
  const client = useQueryClient();
  const move = useMutation({
    mutationFn: ({ id: instructionId, instruction, instructionOrder, version }: CareInstruction) =>
      call('PUT /api/patients/:id/instructions/:instructionId', {
        params: { id: patientId, instructionId },
        body: { instruction, instructionOrder: instructionOrder - 1, version },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: instructionsQuery(patientId).queryKey }),
  });
  return (
    <section aria-label={title}>
      <div className={classes.head}>
        <Title order={2}>{title}</Title>
        {add && (
          <Button variant="default" onClick={add}>
            Add {word} instruction
          </Button>
        )}
      </div>
      {move.error && <Text role="alert">The order wasn't changed. {reasonOf(move.error)}</Text>}
      {entries.length === 0 && <Text c="dimmed">No {word} instructions.</Text>}
      <ol className={classes.steps}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <div className={classes.plan}>{entry.instruction}</div>
            <FormLink patientId={patientId} entry={entry} />
            <div className={classes.dim}>
              {entry.groupName} · {entry.organizationName} · Updated {formatDate(entry.modifiedAt)}
            </div>
            {entry.editable && (
              <div className={classes.actions}>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Edit: ${entry.instruction}`}
                  onClick={() => edit(entry)}
                >
                  Edit
                </Button>
                {entry.instructionOrder > 1 && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={move.isPending}
                    aria-label={`Move up: ${entry.instruction}`}
                    onClick={() => move.mutate(entry)}
                  >
                    Move up
                  </Button>
                )}
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
};
