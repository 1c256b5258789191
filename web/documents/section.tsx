import { memo } from 'react';
import type { DocumentSection } from '#contract/clinical-documents.ts';
import { CodedEntries } from './coded-entries.tsx';
import classes from './documents.module.css';
import { Marked } from './marked.tsx';
import { Narrative } from './narrative.tsx';
import { hasContent } from './outline.ts';

export const anchorOf = ({ number }: Pick<DocumentSection, 'number'>): string => `section-${number}`;

/** What the section's author coded, then what its author wrote. */
const Content = memo(({ section }: { section: DocumentSection }) => {
  const { title, missing, narrative, entries, entryCount } = section;
  return (
    <>
      {missing !== null && <p>{missing}</p>}
      {missing === null && entryCount === 0 && !hasContent(narrative) && (
        <p className={classes.dim}>Nothing in this section.</p>
      )}
      {entries.length > 0 && (
        <>
          <div className={classes.label}>
            Coded by the author ({entries.length === 1 ? '1 entry' : `${entries.length} entries`})
          </div>
          <CodedEntries entries={entries} section={title} />
        </>
      )}
      {entries.length === 0 && entryCount > 0 && (
        <p className={classes.dim}>
          {entryCount === 1 ? '1 coded entry is' : `${entryCount} coded entries are`} not shown in coded form. Read the
          text below.
        </p>
      )}
      {hasContent(narrative) && (
        <details open className={classes.written}>
          <summary className={classes.label}>
            {entryCount > 0 ? 'As written by the author' : 'Text only, not coded'}
          </summary>
          <Narrative parts={narrative} />
        </details>
      )}
    </>
  );
});

interface Props {
  section: DocumentSection;
  asOf: string;
  /** Whether what is in it is shown yet. */
  isReady: boolean;
}

/** A section: its title, then what is in it. */
export const Section = memo(({ section, asOf, isReady }: Props) => {
  const { title, level } = section;
  const Heading = level === 0 ? 'h3' : 'h4';
  return (
    <section
      id={anchorOf(section)}
      className={classes.section}
      data-level={Math.min(level, 3)}
      aria-label={title}
      tabIndex={-1}
    >
      <div className={classes.sectionHead}>
        <Heading>
          <Marked text={title} />
        </Heading>
        <span className={classes.dim}>As of {asOf}</span>
      </div>
      {isReady && <Content section={section} />}
    </section>
  );
});
