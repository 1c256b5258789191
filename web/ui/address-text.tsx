import { Fragment } from 'react';

/** An email address, or a text with one, that breaks before @ or after a dot rather than within a word. */
export const AddressText = ({ text }: { text: string }) =>
  text.split(/(?=@)|(?<=\.)(?=\S)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text stay in their order
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
