import { Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Message } from '#contract/feeds.ts';
import { DISMISSAL_CAUSES, DISMISSAL_NOTE_LIMIT, type DismissalCause } from '#contract/message-words.ts';
import { call } from '../api/call.ts';
import { Modal } from '../ui/modal.tsx';
import { Failed } from '../ui/states.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';

interface Props {
  id: string;
  done: (message: Message) => void;
  close: () => void;
}

/** Asks why a quarantined message is dismissed, and dismisses it. */
export const DismissMessage = ({ id, done, close }: Props) => {
  useReturnFocus();
  const [cause, setCause] = useState<DismissalCause | null>(null);
  const [note, setNote] = useState('');
  const [problems, setProblems] = useState<{ cause?: string; note?: string }>({});
  const dismiss = useMutation({
    mutationFn: (body: { cause: DismissalCause; note: string }) =>
      call('POST /api/feeds/messages/:id/dismiss', { params: { id }, body }),
    onSuccess: done,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const next = {
      ...(cause === null && { cause: 'Choose a reason.' }),
      ...(cause === 'OTHER' && note.trim() === '' && { note: 'Say why.' }),
    };
    setProblems(next);
    if (cause !== null && Object.keys(next).length === 0) dismiss.mutate({ cause, note });
  };
  return (
    <Modal opened onClose={() => dismiss.isPending || close()} title="Dismiss this message" closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Text mb="sm">
          It leaves the quarantine without being applied, and is no longer replayed with its feed. It stays in the list,
          with your name and the reason. You can undo this.
        </Text>
        <Radio.Group label="Reason" value={cause} error={problems.cause} onChange={setCause}>
          <Stack gap="xs" mt="xs">
            {Object.entries(DISMISSAL_CAUSES).map(([value, label]) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea
          mt="md"
          label="Note"
          description="Shown to everyone who sees the message. Don't include patient names."
          maxLength={DISMISSAL_NOTE_LIMIT}
          value={note}
          error={problems.note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        {dismiss.error && <Failed what="The message wasn't dismissed." error={dismiss.error} />}
        <Group gap="sm" mt="lg">
          <Button type="submit" loading={dismiss.isPending}>
            Dismiss message
          </Button>
          <Button variant="default" disabled={dismiss.isPending} onClick={close}>
            Cancel
          </Button>
        </Group>
      </form>
    </Modal>
  );
};
