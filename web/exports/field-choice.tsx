import { Button, Checkbox, Group, Text } from '@mantine/core';
import { EXPORT_SECTIONS, type ExportFieldId } from '#contract/export-fields.ts';
import type { ExportField } from '#contract/exports.ts';
import classes from './exports.module.css';

interface Props {
  fields: readonly ExportField[];
  chosen: ReadonlySet<ExportFieldId>;
  choose: (chosen: ReadonlySet<ExportFieldId>) => void;
}

/** Chooses the columns of an export. Folded up at first, since the usual ones are chosen. */
export const FieldChoice = ({ fields, chosen, choose }: Props) => {
  const count = fields.filter(({ id }) => chosen.has(id)).length;
  const toggle = (id: ExportFieldId): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };
  return (
    <details className={classes.fields}>
      <summary>
        Fields: {count} of {fields.length}
      </summary>
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={() => choose(new Set(fields.map(({ id }) => id)))}>
          Select all
        </Button>
        <Button size="xs" variant="default" onClick={() => choose(new Set())}>
          Clear
        </Button>
      </Group>
      <div className={classes.sections}>
        {EXPORT_SECTIONS.map((section) => {
          const ofSection = fields.filter((field) => field.section === section);
          return ofSection.length === 0 ? null : (
            <fieldset key={section} className={classes.section}>
              <legend>{section}</legend>
              {ofSection.map(({ id, label }) => (
                <Checkbox key={id} label={label} checked={chosen.has(id)} onChange={() => toggle(id)} />
              ))}
            </fieldset>
          );
        })}
      </div>
      <Text size="sm" c="dimmed">
        Every file also has a column with the 42 CFR Part 2 notice.
      </Text>
    </details>
  );
};
