def translate(pattern): raise NotImplementedError
