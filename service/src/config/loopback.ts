/** Matches the forms of loopback addresses that people use for hosts. */
export const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|\[::1\])$/i;
