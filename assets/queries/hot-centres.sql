-- cost centres with most samples of their own
SELECT module, label, self, incl, source FROM centres ORDER BY self DESC, incl DESC, module, label LIMIT 200
