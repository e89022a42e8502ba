-- cost centres by individual samples
SELECT module, label, self, incl, source FROM centres ORDER BY self DESC, incl DESC, module, label LIMIT 200
