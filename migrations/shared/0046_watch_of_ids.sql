-- An id without a market is looked for in the market of its home; watches stored before have the default market here.
update watch set markets = null where criteria ? 'id' and not criteria ? 'market' and markets is not null;
