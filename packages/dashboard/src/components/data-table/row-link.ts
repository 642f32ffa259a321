import classes from './data-table.module.css';

/** The class of the link in the first cell: a click anywhere in the row follows it. */
export const rowLink = classes.rowLink ?? '';
