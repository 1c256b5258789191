import { Button, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useId, useRef, useState } from 'react';
import type { PatientTags, Tag } from '#contract/tags.ts';
import { reasonOf } from '../api/error.ts';
import { Failed } from '../ui/states.tsx';
import classes from './patient-tags.module.css';
import { shortTag, tagTitle } from './short-tag.ts';
import { addTag, patientTagsQuery, refreshTags, sendTags, teamTagsQuery } from './tag-queries.ts';

/** As the contract has it. In characters. */
const MAX_LENGTH = 100;

/** Outside the component, so that it runs once, when the field appears. */
const focus = (input: HTMLInputElement | null): void => input?.focus();

/** The team's own tags of a patient, each with a button to remove it. */
const OwnTags = ({ tags, busy, remove }: { tags: Tag[]; busy: boolean; remove: (tag: Tag) => void }) => (
  <ul className={classes.own} aria-label="Your team's tags">
    {tags.map((tag) => (
      <li key={tag.id}>
        <span title={tagTitle(tag.name)}>{shortTag(tag.name)}</span>
        <Button
          size="compact-xs"
          variant="default"
          disabled={busy}
          aria-label={`Remove tag ${tag.name}`}
          onClick={() => remove(tag)}
        >
          Remove
        </Button>
      </li>
    ))}
  </ul>
);

/** Saves changes of the team's tags one after the other, each about what the one before made of them. */
const useTagChanges = (patientId: string, shown: PatientTags) => {
  const client = useQueryClient();
  const [error, setError] = useState<Error | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: async (send: (current: PatientTags) => Promise<unknown>) => {
      setError(null);
      await send(client.getQueryData(patientTagsQuery(patientId).queryKey) ?? shown);
    },
    onSuccess: () => refreshTags(client, patientId),
    onError: setError,
    scope: { id: `tags of ${patientId}` },
  });
  return { change: mutate, isPending, error };
};

/** Adds and removes the team's tags of a patient. Every change is saved at once. */
const Editor = ({ patientId, shown, close }: { patientId: string; shown: PatientTags; close: () => void }) => {
  const choices = useId();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [said, say] = useState('');
  const team = useQuery(teamTagsQuery);
  const { change, isPending, error } = useTagChanges(patientId, shown);
  const add = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const wanted = name.trim();
    if (!wanted) return;
    // The field is free for the next tag while this one is saved.
    setName('');
    change(async (current) => {
      try {
        await addTag(patientId, current, wanted);
        say(`Added ${wanted}.`);
      } catch (refused) {
        setName((typed) => typed || wanted);
        throw refused;
      }
    });
  };
  const remove = (tag: Tag): void =>
    change(async (current) => {
      await sendTags(
        patientId,
        current,
        current.tags.filter(({ id }) => id !== tag.id),
      );
      say(`Removed ${tag.name}.`);
      field.current?.focus();
    });
  return (
    <>
      {shown.tags.length > 0 && <OwnTags tags={shown.tags} busy={isPending} remove={remove} />}
      <form className={classes.add} onSubmit={add}>
        <TextInput
          ref={(input) => {
            if (input && !field.current) focus(input);
            field.current = input;
          }}
          label="Add a tag"
          description="Only your team sees it."
          list={choices}
          maxLength={MAX_LENGTH}
          autoComplete="off"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={error && `The tags weren't changed. ${reasonOf(error)}`}
        />
        <datalist id={choices}>
          {team.data
            ?.filter(({ id }) => !shown.tags.some((tag) => tag.id === id))
            .map((tag) => (
              <option key={tag.id}>{tag.name}</option>
            ))}
        </datalist>
        <Button type="submit" size="xs">
          Add
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          Done
        </Button>
      </form>
      {shown.rosterTags.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          From rosters: {shown.rosterTags.join(', ')}. A roster upload changes these.
        </Text>
      )}
      <Text size="xs" role="status">
        {said}
      </Text>
    </>
  );
};

/** Loads a patient's tags, to change the team's own. */
export const TagEditor = ({ patientId, close }: { patientId: string; close: () => void }) => {
  const { data, error, refetch } = useQuery(patientTagsQuery(patientId));
  return (
    <div className={classes.editor}>
      {data && <Editor patientId={patientId} shown={data} close={close} />}
      {!data && error && <Failed what="Couldn't load the tags." error={error} retry={() => void refetch()} />}
    </div>
  );
};
